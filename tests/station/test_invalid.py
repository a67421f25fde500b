"""What is wrong with a request: the first mistake, by its field."""

import pytest

from messages.errors import BadInputError
from tests.asking import parse


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "The field 'command' is missing."),
        (
            {"command": "dance"},
            "There is no command 'dance'; GET /api/v1/openapi.json describes those there are.",
        ),
        ({"command": "undo", "mood": "good"}, "The field 'mood' is not known here."),
        ({"command": "score_box"}, "The field 'category' is missing."),
        ({"command": "correct_die", "slot": 1, "face": "six"},
         "The field 'face' is not right: it should be a valid integer."),
        ({"command": "enter_roll", "faces": [1, 2, 7]},
         "The field 'faces.2' is not right: it should be less than or equal to 6."),
    ],
)  # fmt: skip
def test_the_first_mistake_is_named(body, sentence):
    with pytest.raises(BadInputError) as refused:
        parse(body)
    assert (refused.value.code, str(refused.value)) == ("request/invalid", sentence)
