"""`/tv?plain`: the sheet for televisions that are too old for the live one."""

import re

import pytest

from tests.web.helpers import Stage


def page(stage: Stage, language: str = "en") -> str:
    return stage.client.get(f"/tv?plain&language={language}").get_data(as_text=True)


@pytest.mark.parametrize(
    ("language", "turn", "total"),
    [("en", "Ben: roll", "Total"), ("de", "Ben: wirf", "Gesamt"), ("fr", "Ben\u202f: lance", "Total")],
)
def test_it_shows_who_plays_what_counts_and_what_is_waited_for(
    game: Stage, language: str, turn: str, total: str
):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    game.do("score_box", category="choice")
    shown = page(game, language)
    assert "<script" not in shown
    assert 'http-equiv="refresh"' in shown
    assert f'<html lang="{language}"' in shown
    assert turn.lower() in re.findall(r"<h1>(.*)</h1>", shown)[0].lower()
    assert re.findall(r'class="name( turn)?"[^>]*><span>(.*?)</span>', shown)[:2] == [
        ("", "Ana"),
        (" turn", "▸ Ben"),
    ]
    [sums] = re.findall(rf"<tfoot><tr><th>{total}</th>(.*?)</tr>", shown)
    assert re.findall(r">(\d+)<", sums)[:2] == ["16", "0"]


def test_dice_and_what_is_held_are_told(game: Stage):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    game.do("set_held", slots=[5])
    shown = page(game)
    assert re.findall(r"<b>(\d)</b>", shown) == ["1", "2", "3", "4"]
    assert '<b class="held">6</b>' in shown
    assert "2 rolls left · yellow: kept" in shown


def test_before_a_game_it_says_how_to_join(stage: Stage):
    stage.do("add_player", name="Ana")
    shown = page(stage)
    assert "/join.svg" in shown
    assert "<li>Ana</li>" in shown
    assert "<table" not in shown
