"""Whether the dice are fair: the arithmetic against counting by hand, and the page."""

from collections import Counter
from itertools import product
from math import factorial, prod

import numpy as np
import pytest

from messages.catalogue import languages
from station.game.thrown_dice import ThrownDie
from tests.asking import do
from tests.web.archived import Archived, archive
from web.history.dice_pages import ThrownDice
from web.history.fairness import ENOUGH, Fairness, estimated_p, exact_p, fairness, interval, verdict_on

__all__ = ["archive"]


@pytest.mark.parametrize(
    "counts", [(3, 1, 0, 2, 1, 1), (8, 0, 0, 0, 0, 0), (2, 1, 1, 1, 2, 1), (0, 4, 3, 0, 0, 0)]
)
def test_the_exact_value_is_what_counting_every_way_gives(counts: tuple[int, ...]):
    thrown, squares, chance = sum(counts), sum(count**2 for count in counts), 0.0
    for some in product(range(thrown + 1), repeat=5):
        if sum(some) <= thrown:
            ways = (*some, thrown - sum(some))
            if sum(count**2 for count in ways) >= squares:
                chance += factorial(thrown) / prod(map(factorial, ways)) / 6**thrown
    assert exact_p(counts) == pytest.approx(chance)


@pytest.mark.thorough
def test_an_estimate_agrees_with_the_exact_value_within_its_error():
    counts = (20, 30, 14, 25, 15, 20)
    p, error = estimated_p(counts)
    assert 0 < error < 0.005
    assert abs(p - exact_p(counts)) < 2 * error
    assert estimated_p(counts) == (p, error)


@pytest.mark.thorough
def test_intervals_hold_the_truth_as_often_as_they_say():
    random = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        least, most = interval(int(random.binomial(200, 1 / 6)), 200)
        held += least < 1 / 6 < most
    assert 0.92 < held / 400 < 0.98


def counted(shares: tuple[float, ...], thrown: int, seed: int = 3) -> dict[int, int]:
    found = np.random.default_rng(seed).multinomial(thrown, shares)
    return dict(zip(range(1, 7), map(int, found), strict=True))


@pytest.mark.parametrize(
    ("shares", "thrown", "verdict"),
    [
        ((1 / 6,) * 6, ENOUGH - 1, "few"),
        ((1 / 6,) * 6, 120, "fair"),
        ((1 / 6,) * 6, 20_000, "fair"),
        ((0.1, 0.15, 0.15, 0.15, 0.15, 0.3), 1000, "unfair"),
        ((0.1, 0.15, 0.15, 0.15, 0.15, 0.3), ENOUGH - 1, "few"),
    ],
)
def test_a_verdict(shares: tuple[float, ...], thrown: int, verdict: str):
    found = verdict_on("red", 1, counted(shares, thrown))
    assert found.verdict == verdict
    assert (found.p is None) == (verdict == "few")
    if verdict == "unfair":
        assert found.furthest.face == 6
        assert found.furthest.least > 1 / 6


@pytest.mark.thorough
def test_fair_dice_are_seldom_called_odd():
    """One in twenty evenings at most, however many dice are looked at."""
    random = np.random.default_rng(11)
    called = 0
    for evening in random.multinomial(100, [1 / 6] * 6, size=(30, 5)):
        dice = [dict(zip(range(1, 7), map(int, counts), strict=True)) for counts in evening]
        called += any(verdict_on("", 1, die, together=5).verdict != "fair" for die in dice)
    assert called <= 5


def test_sets_have_their_days_and_rare_ones_are_told_together():
    mixed, white = ("red", "white"), ("white", "white")
    games = [
        ("2026-03-02", Counter({ThrownDie(1, "red", mixed): 60, ThrownDie(2, "white", mixed): 60})),
        ("2026-01-05", Counter({ThrownDie(3, "white", white): 400, ThrownDie(6): 30})),
        ("2026-02-07", Counter({ThrownDie(4, "white", white): 10, ThrownDie(4, "grey", ("grey",)): 2})),
    ]
    found = fairness(games)
    assert [(each.colours, each.since, each.until, each.thrown) for each in found.sets] == [
        (white, "2026-01-05", "2026-02-07", 410),
        (mixed, "2026-03-02", "2026-03-02", 120),
    ]
    assert [(die.colour, die.dice, die.thrown) for die in found.sets[1].dice] == [
        ("red", 1, 60),
        ("white", 1, 60),
    ]
    assert (found.every.thrown, found.others) == (562, 2)


def test_the_page_counts_what_was_thrown_and_follows_a_correction(archive: Archived):
    assert "finish a game first" in archive.client.get("/history/dice").get_data(as_text=True)
    do(archive.table, {"command": "start_game", "players": ["Ana"], "rules": "world-51"})
    do(archive.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 4]})
    do(archive.table, {"command": "set_held", "slots": [4, 5]})
    do(archive.table, {"command": "enter_roll", "faces": [6, 6, 6, 4, 4]})
    do(archive.table, {"command": "score_box", "category": "choice"})
    do(archive.table, {"command": "end_game"})
    told = archive.client.get("/api/v1/history/dice").get_json()
    assert [face["count"] for face in told["every"]["faces"]] == [1, 1, 1, 2, 0, 3]
    assert told["every"]["verdict"] == "few"
    for _ in range(2):
        do(archive.table, {"command": "undo"})
    do(archive.table, {"command": "correct_die", "slot": 1, "face": 5})
    do(archive.table, {"command": "score_box", "category": "choice"})
    do(archive.table, {"command": "end_game"})
    told = archive.client.get("/api/v1/history/dice").get_json()
    assert [face["count"] for face in told["every"]["faces"]] == [1, 1, 1, 2, 1, 2]


def test_the_page_tells_every_verdict_in_every_language(archive: Archived, monkeypatch: pytest.MonkeyPatch):
    loaded, dice = (0.1, 0.15, 0.15, 0.15, 0.15, 0.3), ("red", "white", "white")
    thrown = Counter(
        {ThrownDie(face, "red", dice): count for face, count in counted(loaded, 900).items()}
        | {ThrownDie(face, "white", dice): count for face, count in counted((1 / 6,) * 6, 1800).items()}
    )
    found = fairness([("2026-01-05", thrown), ("2026-01-06", Counter({ThrownDie(1, "blue", ("blue",)): 57}))])
    monkeypatch.setattr(ThrownDice, "fairness", lambda _: found)
    for language, words in zip(languages(), ("Hardly fair", "Kaum fair", "pas honnête"), strict=True):
        page = archive.client.get(f"/history/dice?language={language}").get_data(as_text=True)
        assert words in page
        assert page.count('<svg class="chart"') == 4
        assert "html/dice" not in page
        assert "style=" not in page


@pytest.mark.parametrize(("colours", "p", "words"), [(2, 0.0004, "1000"), (11, 0.0045, "100")])
def test_of_dice_that_rarely_come_out_so_none_is_told_as_hardly_one(
    archive: Archived, monkeypatch: pytest.MonkeyPatch, colours: int, p: float, words: str
):
    monkeypatch.setattr("web.history.fairness.p_value", lambda _: (p, 0.0))
    tested = verdict_on("", 0, counted((1 / 6,) * 6, 600), colours + 1)
    monkeypatch.setattr(ThrownDice, "fairness", lambda _: Fairness(tested, (), 0))
    page = archive.client.get("/history/dice").get_data(as_text=True)
    assert f"Of {words} fair dice, thrown as often, hardly one would" in page
