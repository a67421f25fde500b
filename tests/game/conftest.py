"""Every message of the game has words."""

from tests.wording import every_message_has_words

__all__ = ["every_message_has_words"]
