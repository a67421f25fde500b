"""Messages of two homes about the dice: their pictures, and questions about them."""

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from messages.errors import BadInputError
from station.features.two_homes.last_throws import Question
from station.features.two_homes.line.home_messages import PICTURES, QUESTION, QuestionMessage, Questions, read
from station.features.two_homes.line.home_pictures import Pictures, checked

PICTURES_BYTES_MAX = 60_000
"""The longest message that is read: ten pictures of 4 kB in base64, with the rest of the message."""


def of_pictures(made: Pictures) -> bytes:
    """Pictures of a throw as a message."""
    dice = [None if jpeg is None else b64encode(jpeg).decode() for jpeg in made.jpegs]
    return json.dumps({"home": made.home, "throw": made.throw, "dice": dice}).encode()


def pictures(message: Any, home: str | None = None) -> Pictures:
    """Pictures of a message. home: whose they are; None: the message says it. Raises BadInputError."""
    parsed = read(PICTURES, message, "homes/pictures")
    try:
        jpegs = [None if each is None else b64decode(each, validate=True) for each in parsed.dice]
    except (binascii.Error, ValueError) as error:
        raise BadInputError("homes/pictures") from error
    return checked(parsed.home if home is None else home, parsed.throw, jpegs)


def of_questions(items: Sequence[Question]) -> list[dict[str, Any]]:
    """All questions, or one, as a message."""
    return [
        {"home": each.home, "throw": each.throw, "slot": each.slot, "face": each.face, "stands": each.stands}
        for each in items
    ]


def questions(message: Any) -> tuple[Question, ...]:
    """All questions of a message. Raises BadInputError."""
    parsed = read(Questions, message)
    return tuple(map(_question, parsed))


def question(message: Any) -> Question:
    """One question of a message. Raises BadInputError."""
    return _question(read(QUESTION, message))


def _question(parsed: QuestionMessage) -> Question:
    return Question(parsed.home, parsed.throw, parsed.slot, parsed.face, parsed.stands)
