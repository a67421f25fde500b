"""All that is said aloud in a whole game, in every language: `said_aloud.txt`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from messages.catalogue import languages, text
from station import games
from station.features.news.feature import TablePart
from station.table.table import Table
from tests.asking import do
from tests.recorded import assert_text_recorded

GOLDEN = Path(__file__).with_name("said_aloud.txt")
TURNS = """
    66123 __615 ___64 sixes
    33412 __352 ___36 threes
    23456 large-straight
    55221 ____5 full-house
    44446 four-of-a-kind
    12346 ____1 ____6 large-straight
    11234 ones
    22156 __226 ___11 twos
    55331 ____2 ____5 full-house
    44162 __443 ____2 fours
    66611 ___63 ____4 three-of-a-kind
    55216 __562 ___55 fives
    22222 yacht
    66125 __631 ___64 sixes
    22345 _34_6 _3456 small-straight
    44136 __45_ __421 ones
    55142 __53_ ___52 fives
    12345 small-straight
    33321 ___35 ____4 threes
    66612 ___65 ____5 three-of-a-kind
    11135 ___15 ____2 fours
    55555 yacht
    22236 ___24 ____1 twos
    33351 ___34 ____2 four-of-a-kind
    66543 choice
    66552 choice
"""
"""Of two players in turn: the throws, with a line for each die that is held, and the box."""


def played(table: Table) -> Iterator[dict[str, Any]]:
    """Every step of the game, as it is asked for."""
    yield {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yahtzee"}
    for number, turn in enumerate(TURNS.split("\n")[1:-1]):
        *throws, box = turn.split()
        faces: list[int] = []
        for throw in throws:
            held = [slot for slot, die in enumerate(throw, start=1) if die == "_"]
            if held and held != [die.slot for die in table.snapshot().dice if die.held]:
                yield {"command": "set_held", "slots": held}
            faces = [faces[slot] if die == "_" else int(die) for slot, die in enumerate(throw)]
            yield {"command": "enter_roll", "faces": faces}
        if number == 1:
            yield {"command": "correct_die", "slot": 5, "face": 5}
        if number == 2:
            yield {"command": "score_box", "category": "choice"}
            yield {"command": "undo"}
        yield {"command": "score_box", "category": box}
        if number == 3:
            yield {"command": "correct_box", "player": 0, "category": "sixes", "faces": [6, 6, 6, 6, 4]}
            for name in ("Anna", "Ana"):  # new names and places are not read out
                yield {"command": "rename_player", "player": 0, "name": name}
                yield {"command": "move_player", "player": 0, "to": 1}
                yield {"command": "move_player", "player": 1, "to": 0}


@pytest.mark.needs_feature("great_throws")
def test_what_is_said_aloud_in_a_whole_game():
    table = Table(house_rules=games.texts)
    told, last, needed = [], 0, None
    for command in played(table):
        do(table, command)
        view = table.snapshot()
        news = view.part(TablePart).news
        if news is not None and news.number != last:
            last = news.number
            told.append((news.kind, news.text))
        if view.needs is not None and view.needs != needed:
            told.append(("needs, where that is wanted", view.needs))
        needed = view.needs
    said = "".join(
        "\n".join((kind, *(f"  {text(words, each)}" for each in languages()), "")) for kind, words in told
    )
    assert table.snapshot().phase == "finished"
    assert_text_recorded(GOLDEN, said)
