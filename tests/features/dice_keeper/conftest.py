"""A table at which a game has begun."""

from tests.table.conftest import copies_tried_here, every_message_has_words, table

__all__ = ["copies_tried_here", "every_message_has_words", "table"]
