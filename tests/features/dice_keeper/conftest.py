"""A table at which a game has begun."""

from tests.table.conftest import copies_tried_here, table

__all__ = ["copies_tried_here", "table"]
