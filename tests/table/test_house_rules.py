"""A family's own rules at the table: they go into the log with the game."""

import re

import pytest

from messages.errors import BadInputError
from station.game import notation
from station.store.event_log import MemoryLog
from station.store.house_rules import HouseRules
from station.table import Table
from tests.asking import do, shown
from tests.conftest import ROOT

TEXT = re.findall(
    r"```toml\n(.*?)```", (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.fixture
def example():
    """The first complete example of the page on house rules."""
    return next(text for text in TEXT if 'id = "our-yacht"' in text)


def test_a_game_by_house_rules_is_replayed_without_their_file(tmp_path, example):
    house = HouseRules(tmp_path)
    assert house.save(example).id == "our-yacht"
    log = MemoryLog()
    table = Table(log, house_rules=house.texts)
    known = {rules["id"] for rules in shown(table)["rule_sets"]}
    assert {"our-yacht", "yacht-1938"} <= known
    state = do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "our-yacht"})
    assert (state["rules"], state["house_rules"]) == ("our-yacht", example)
    assert house.delete("our-yacht")
    again = Table(log)
    do(again, {"command": "enter_roll", "faces": [6] * shown(again)["dice_count"]})
    do(again, {"command": "end_game"})
    state = do(again, {"command": "rematch"})
    assert state["house_rules"] == example
    events = tuple(log.events())
    assert notation.write(notation.read(notation.write(events))) == notation.write(events)
    with pytest.raises(BadInputError, match="There is no rule set 'our-yacht'"):
        do(Table(), {"command": "start_game", "players": ["Ana"], "rules": "our-yacht"})


def test_house_rules_are_read_at_the_start_and_mistakes_left_out(tmp_path, example, caplog):
    (tmp_path / "ours.toml").write_text(example, encoding="utf-8")
    (tmp_path / "broken.toml").write_text('id = "broken"\n', encoding="utf-8")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    house = HouseRules(tmp_path)
    assert list(house.texts()) == ["our-yacht"]
    assert "broken.toml" in caplog.text
    assert house.delete("our-yacht")
    assert not (tmp_path / "ours.toml").exists()
    assert not house.delete("our-yacht")


def test_house_rules_with_a_mistake_are_not_saved(tmp_path, example):
    house = HouseRules(tmp_path / "rules")
    for text in ("", 'id = "yacht-1938"', example + "\n# " + "x" * 70_000):
        with pytest.raises(BadInputError):
            house.save(text)
    assert not house.texts()
    assert not (tmp_path / "rules").exists()


def test_no_request_can_bring_its_own_rules():
    with pytest.raises(BadInputError):
        do(Table(), {"command": "start_game", "players": ["Ana"], "rules": "x", "house": "id = 'x'"})
