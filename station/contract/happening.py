"""What others can be told of: the kinds of what happens at a table."""

from enum import StrEnum


class Kind(StrEnum):
    """What can be told; also the last part of its topic at a broker."""

    ROLL = "roll"
    GREAT_THROW = "great_throw"
    BOX = "box"
    TURN = "turn"
    GAME_OVER = "game_over"
    UNDO = "undo"
