"""Sheets on paper: any script, every rule set, every layout."""

import shutil
from pathlib import Path

import pytest

from messages import catalogue
from station import games
from station.rules import built_in, built_in_ids
from station.rules.written import to_toml
from station.store.house_rules import HouseRules
from tests.web.archived import Archived, archive, column
from tests.web.helpers import Stage
from tests.web.pdf import written
from web.history import paper

__all__ = ["archive"]


@pytest.mark.thorough
def test_names_keep_their_letters_on_paper(archive: Archived):
    names = ("Łucja Żak", "Ελένη", "Наташа", "Zoë d'Été", "Nguyễn (B)")
    number = archive.play(*names, rules="yacht-1938")
    told = written(archive.client.get(f"/history/{number}/sheet.pdf").data)
    assert set(names) <= set(told.splitlines())
    assert "?" not in told
    archive.client.set_cookie("language", "de")
    told = written(archive.client.get(f"/history/{number}/sheet.pdf").data)
    assert "Große Straße" in told
    assert "Straight" not in told


def test_names_in_any_script_are_drawn_from_left_to_right():
    """Hebrew and Arabic come reversed, Arabic in the forms that join; emojis in a typeface of their own."""
    names = ("דנה (2)", "محمد", "Łucja 🎲", "👩🏽‍🚀 Zoë")
    pdf = paper.score_sheet(built_in("yahtzee"), [column(name) for name in names])
    told = [line for line in written(pdf).splitlines() if line]
    assert {"(2) הנד", "\ufeaa\ufee4\ufea4\ufee3"} <= set(told)
    assert told[told.index("Łucja ") :][:2] == ["Łucja ", "🎲"]
    assert told[told.index("👩🚀") :][:2] == ["👩🚀", " Zoë"]


def test_a_letter_nobody_has_is_a_box_and_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    players = [column("Ana\N{NARROW NO-BREAK SPACE}!"), column("\N{CHEROKEE LETTER A}")]
    told = written(paper.score_sheet(built_in("yahtzee"), players))
    assert "Ana !" in told
    assert "□ stands for letters" in told
    assert "□ stands for letters" not in written(paper.score_sheet(built_in("yahtzee"), [column("Ana")]))


QUICK = ("yahtzee", "double-cameroon", "triple-yahtzee")
"""The longest sheets and the one that is most different; the others are for the slow run."""


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(each, marks=() if each in QUICK else pytest.mark.slow)
        for each in (*built_in_ids(), *games.texts())
    ],
)
def test_every_rule_set_has_empty_sheets_in_every_layout(archive: Archived, rules: str):
    found = games.rules_of(rules)
    boxes = {
        catalogue.text(each, "de")
        for each in (*(box.row for box in found.boxes), *(column.label for column in found.columns))
    }
    for layout in paper.LAYOUTS if rules in QUICK else ("normal",):
        answer = archive.client.get(f"/sheet.pdf?rules={rules}&layout={layout}&language=de")
        told = written(answer.data)
        assert {box for box in boxes if len(box) < 14} <= set(told.splitlines()), layout
        if layout != "large":
            assert answer.data.count(b"/Type /Page\n") == 1
        assert ("Wer mitspielt" in told) == (layout == "teams")
    assert archive.client.get("/sheet.pdf?layout=tiny").status_code == 400


def test_a_sheet_of_house_rules_can_be_printed_empty(tmp_path: Path):
    house = HouseRules(tmp_path)
    house.save(to_toml(built_in("world-51")).replace('"our-world-51"', '"lake"'))
    client = Stage(house_rules=house).client
    assert "lake" in client.get("/paper").get_data(as_text=True)
    assert client.get("/sheet.pdf?rules=lake").data.startswith(b"%PDF")


def test_no_sheet_for_rules_there_are_not(archive: Archived):
    assert archive.client.get("/sheet.pdf?rules=nope").status_code == 400


def test_eight_players_fit_on_the_paper():
    players = [column(f"Player {n}") for n in range(8)]
    assert paper.score_sheet(built_in("yahtzee"), players).startswith(b"%PDF")
