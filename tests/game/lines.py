"""Events as lines of the notation and as JSON, and back."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from messages.errors import BadInputError
from station.game import notation
from station.game.events import KINDS, Event, from_json
from tests.wording import in_words


def is_line_and_back(line: str, event: Event) -> None:
    assert notation.write([event]) == f"{line}\n"
    assert notation.read(line) == (event,)


def is_json_and_back(event: Event) -> None:
    body = json.loads(json.dumps(event.to_json()))
    assert body["kind"] == event.kind
    assert KINDS[event.kind] is type(event)
    assert from_json(body) == event


def is_no_event(line: str) -> None:
    with pytest.raises(BadInputError) as caught:
        notation.read(f"end\n{line}\n")
    assert in_words(caught.value.message) == f"Line 2 is no event of a game: '{line}'."
    assert caught.value.code == "notation/no_event"


def no_station_can_live_with(body: Mapping[str, Any]) -> None:
    with pytest.raises(BadInputError) as caught:
        from_json(body)
    assert caught.value.code == "event/bad"
    assert len(str(caught.value)) < 1000
