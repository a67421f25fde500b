"""What two homes tell each other of the dice beside the game: pictures of them, and questions about them."""

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from messages.errors import BadInputError
from station.features.two_homes.last_throws import Question
from station.features.two_homes.line.home_messages import PICTURES, QUESTION, Questioned, Questions, read
from station.features.two_homes.line.home_pictures import Pictures, checked

PICTURES_BYTES_MAX = 60_000
"""Of a message: ten pictures of 4 kB in base64, and what stands round them. What is longer is not read."""


def of_pictures(made: Pictures) -> bytes:
    """Pictures of a throw as a message."""
    dice = [None if jpeg is None else b64encode(jpeg).decode() for jpeg in made.jpegs]
    return json.dumps({"home": made.home, "throw": made.throw, "dice": dice}).encode()


def pictures(said: Any, home: str | None = None) -> Pictures:
    """Pictures of a message. home: whose they are; None: the message says it. Raises BadInputError."""
    told = read(PICTURES, said, "homes/pictures")
    try:
        jpegs = [None if each is None else b64decode(each, validate=True) for each in told.dice]
    except (binascii.Error, ValueError) as error:
        raise BadInputError("homes/pictures") from error
    return checked(told.home if home is None else home, told.throw, jpegs)


def of_questions(asked: Sequence[Question]) -> list[dict[str, Any]]:
    """All that is asked, or one question, for a message."""
    return [
        {"home": each.home, "throw": each.throw, "slot": each.slot, "face": each.face, "stands": each.stands}
        for each in asked
    ]


def questions(said: Any) -> tuple[Question, ...]:
    """All that is asked, of a message. Raises BadInputError."""
    told = read(Questions, said)
    return tuple(map(_question, told))


def question(said: Any) -> Question:
    """One question of a message. Raises BadInputError."""
    return _question(read(QUESTION, said))


def _question(told: Questioned) -> Question:
    return Question(told.home, told.throw, told.slot, told.face, told.stands)
