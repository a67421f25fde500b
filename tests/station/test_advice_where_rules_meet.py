"""Advice where rules meet: saved throws, announced boxes, columns; hints, chances, luck, computer players."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from station.advice.advisor import Advisor
from station.advice.luck import last_luck
from station.advice.reviews import turns
from station.advice.table_hint import table_hint
from station.cli import run
from station.contract.questions import AdviceRequest
from station.contract.view import as_json
from station.game.log.state import State
from station.rules import parse_rules
from station.strategy.forward.trials import Offset
from station.strategy.review import review
from station.table.table import Table
from tests.web.helpers import Stage
from tests.wording import in_words
from web.advice.answers import Advice

SAVED = """
id = "ours"
title = "Ours"
throws = 3
dice = 2
saved_throws = true
"""
ANNOUNCED = """
id = "ours"
title = "Ours"
throws = 3
dice = 2
"""
COLUMNS = """
id = "ours"
title = "Ours"
throws = 3
dice = 2
[further_yachts]
joker = "none"
points = 100
[[column]]
id = "once"
label = "once"
[[column]]
id = "twice"
label = "twice"
factor = 2
"""


def boxes(**more: str) -> str:
    """Ones, sixes, choice and yacht, each with what is said besides."""
    rows = {"ones": "", "sixes": "", "choice": "", "yacht": "points = 30", **more}
    return "".join(
        f'[[box]]\ncategory = "{category}"\nlabel = "{category}"\n{said}\n' for category, said in rows.items()
    )


@pytest.fixture
def advisor() -> Iterator[Advisor]:
    advisor = Advisor(None)
    yield advisor
    advisor.close()


class Playing(Stage):
    """A table with house rules; their advice is worked out, and how far off it is is known."""

    def __init__(self, advisor: Advisor, text: str, *players: object) -> None:
        super().__init__(table=Table(house_rules=lambda: {"ours": text}), advisor=advisor)
        self.do("start_game", players=list(players), rules="ours")
        self.advisor = advisor
        rules = self.game.rules
        assert rules is not None
        self.values = advisor.solution_now(rules)
        advisor.keep_offsets(rules, [Offset(0.0, 0.1, 8.0)] * (len(rules.boxes) + 1))

    @property
    def game(self) -> State:
        return self.table.moment()[1]

    def turn(self, category: str, *faces: int) -> None:
        self.do("enter_roll", faces=list(faces))
        self.do("score_box", category=category)

    def odds(self) -> list[float]:
        answer = self.client.get("/api/v1/odds")
        assert answer.status_code == 200, answer.get_json()
        chances: list[float] = answer.get_json()["chances"]
        return chances


def test_saved_throws_count_in_the_chances(advisor: Advisor):
    stage = Playing(advisor, SAVED + boxes(), "Ana", "Ben")
    for _ in range(2):
        stage.turn("sixes", 6, 3)  # two throws saved
    assert stage.odds() == pytest.approx([0.5, 0.5])
    stage.do("enter_roll", faces=[1, 4])
    assert stage.game.rolls_left == 4
    behind = stage.odds()
    assert 0 < behind[0] < 1
    stage.do("enter_roll", faces=[1, 4])
    assert stage.odds()[0] < behind[0], "the same dice, and a throw less to come"


def test_the_api_advises_with_saved_throws_as_the_command_does(
    advisor: Advisor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "ours.toml"
    file.write_text(SAVED + boxes(), encoding="utf-8")
    call = ["hint", "--rules", str(file), "--dice", "1,6", "--rolls-left", "4", "--saved", "2", "--json"]
    assert run(call) == 0
    output = json.loads(capsys.readouterr().out)
    advisor.solution_now(parse_rules(SAVED + boxes(), "ours"))
    request = AdviceRequest(rules="ours", dice=(1, 6), rolls_left=4, saved=2)
    found = Advice(advisor).answer(request, {"ours": SAVED + boxes()})
    assert json.loads(json.dumps(as_json(found))) == output


@pytest.mark.needs_feature("announced_boxes")
def test_an_announced_box_counts_in_the_chances(advisor: Advisor):
    stage = Playing(advisor, ANNOUNCED + boxes(ones="announced = true"), "Ana", "Ben")
    stage.do("enter_roll", faces=[6, 6])
    free = stage.odds()
    stage.do("announce_box", category="ones")
    assert stage.odds()[0] < free[0]


@pytest.mark.needs_feature("announced_boxes")
def test_the_luck_of_the_last_throw_is_that_of_the_review(advisor: Advisor):
    stage = Playing(advisor, ANNOUNCED + boxes(choice="announced = true"), "Ana")
    found: list[Any] = []
    for first, named in (([1, 4], "choice"), ([6, 5], None)):
        stage.do("enter_roll", faces=first)
        found.append(last_luck(stage.values, stage.game))
        if named:
            stage.do("announce_box", category=named)
        stage.do("set_held", slots=[2])
        for face in (2, 3):
            stage.do("enter_roll", faces=[face, first[1]])
            found.append(last_luck(stage.values, stage.game))
        stage.do("score_box", category=named or "sixes")
    ((*played,),) = turns(stage.game.past)
    looked = review(stage.values, played)
    assert found == pytest.approx([throw.luck for turn in looked.turns for throw in turn.throws])


@pytest.mark.parametrize(("filled", "extra"), [("once-yacht", 0), ("twice-yacht", 200)])
def test_a_hint_tells_the_points_on_top_of_the_column_it_names(advisor: Advisor, filled: str, extra: int):
    stage = Playing(advisor, COLUMNS + boxes(), "Ana")
    for category, faces in ((filled, (1, 1)), ("once-sixes", (6, 5)), ("once-ones", (1, 5))):
        stage.turn(category, *faces)
    if filled == "once-yacht":
        stage.turn("once-choice", 6, 6)
    for face in (6, 6, 6):
        stage.do("enter_roll", faces=[face, face])
    hint = table_hint(stage.values, stage.game)
    assert hint is not None
    assert hint.box is not None
    assert hint.box.startswith("twice")
    before = stage.game.player.sheet
    stage.do("score_box", category=hint.box)
    entry = stage.game.player.sheet.entries[len(before.entries)]
    assert entry.extra == extra
    assert f"{entry.points + extra} point" in in_words(hint.reason)
    assert (f"{extra} on top" in in_words(hint.reason)) == bool(extra)
