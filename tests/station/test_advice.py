"""The advisor: tables that ship, house rules in the background, odds, what is kept on disk."""

import os
import subprocess

import numpy as np
import pytest

from messages.message import Message
from station.advice import odds
from station.advice.advisor import Advisor
from station.advice.apart import Apart
from station.advice.budget import MB, Budget
from station.advice.jobs import Jobs, JobStage
from station.advice.odds import words
from station.advice.situation import AdviceSituation
from station.advice.table_cache import TableCache
from station.rules import Entry, Sheet, built_in, fill, parse_rules
from station.strategy.model.model import Model
from station.strategy.model.position import of_sheet, place
from station.strategy.odds.spreads import ERROR
from station.strategy.odds.winning import WinHint, WinHold
from station.strategy.values.hints import Hint, HoldValue, hint
from station.strategy.values.pack import pack
from station.strategy.values.solver import solve
from tests.rules.house_files import FEW


@pytest.fixture
def advisor(tmp_path, ready):
    advisor = Advisor(tmp_path, on_ready=ready)
    yield advisor
    advisor.close()


def best(solution, sheet, dice, rolls_left):
    return hint(solution, of_sheet(solution.model.rules, sheet), dice, rolls_left)


def test_built_in_games_are_ready_at_once(advisor):
    rule_set = built_in("yacht-1938")
    assert advisor.preparation(rule_set).stage is JobStage.READY
    found = best(advisor.solution(rule_set), Sheet((Entry("yacht", 50),)), (4, 4, 1, 2, 6), 2)
    assert found.holds[0].hold == (4, 4, 6)
    assert len(found.boxes) == 11


def test_games_that_differ_in_labels_share_their_values_not_their_labels(advisor):
    for rules_id, label in (("shared-roll", "Full house"), ("coolmath", "Full House")):
        solution = advisor.solution(built_in(rules_id))
        assert best(solution, Sheet(), (5, 5, 5, 2, 2), 0).boxes[0].category == "full-house"
        assert str(solution.model.rules.box("full-house").label) == label


def test_how_large_the_odds_would_be_is_counted_once_for_all_screens(advisor, monkeypatch):
    few = parse_rules(FEW)
    advisor.solution_now(few)
    counted = []
    count = odds.layer_bytes
    monkeypatch.setattr(odds, "layer_bytes", lambda *args: counted.append(args) or count(*args))
    for _screen in range(3):
        advisor.odds(few, AdviceSituation([Sheet(), Sheet()], 0))
    assert len(counted) == 1


def test_house_rules_are_worked_out_in_the_background_and_kept(advisor, ready, tmp_path):
    few = parse_rules(FEW)
    assert advisor.solution(few) is None
    ready.wait()
    assert best(advisor.solution(few), Sheet(), (6, 6, 1, 2, 6), 2).holds[0].hold == (6, 6, 6)
    (kept,) = (tmp_path / "advice").glob("*.means")
    values = solve(few).values
    assert np.fromfile(kept, "<f8", len(values)) == pytest.approx(values, abs=0)
    again = Advisor(tmp_path)
    assert again.preparation(few).stage is JobStage.READY


@pytest.mark.parametrize("damage", [b"", b"YACHT", b"x" * 100])
def test_what_is_damaged_is_worked_out_anew(tmp_path, damage, caplog):
    few = parse_rules(FEW)
    expected = Advisor(tmp_path).solution_now(few).start
    (kept,) = (tmp_path / "advice").glob("*.means")
    kept.write_bytes(damage)
    assert Advisor(tmp_path).solution_now(few).start == expected
    assert "worked out anew" in caplog.text
    assert kept.read_bytes() != damage


def test_a_disk_that_cannot_be_written_costs_only_the_keeping(tmp_path, caplog):
    (tmp_path / "advice").write_text("in the way")
    assert Advisor(tmp_path).solution_now(parse_rules(FEW)).start > 0
    assert "could not be kept" in caplog.text


def test_odds_are_worked_out_once_and_kept(advisor, ready, tmp_path):
    few = parse_rules(FEW)
    advisor.solution_now(few)
    first = advisor.odds(few, AdviceSituation([Sheet(), Sheet()], 0))
    assert first.chances == () or first.message == ""
    ready.wait()
    found = advisor.odds(few, AdviceSituation([Sheet(), Sheet()], 0))
    assert found.chances == pytest.approx([0.5, 0.5], abs=1e-9)
    (kept,) = (tmp_path / "advice").glob("*.odds")
    again = Advisor(tmp_path)
    assert again.odds(few, AdviceSituation([Sheet(), Sheet()], 0)).chances == found.chances
    kept.write_bytes(b"1234")
    assert TableCache(tmp_path / "advice").distributions(Model(few)) is None
    kept.write_bytes(b"")
    assert TableCache(tmp_path / "advice").distributions(Model(few)) is None


def test_the_end_of_a_game_of_two_becomes_exact(advisor, ready):
    few = parse_rules(FEW)
    advisor.solution_now(few)
    sheets = [Sheet((Entry("sixes", 0),)), Sheet((Entry("sixes", 30),))]
    call = (few, AdviceSituation(sheets, 0, (1, 1, 1, 2, 6), 0))
    answer = advisor.odds(*call)
    for _ in range(2):  # the table of chances, and the end of the game
        ready.wait()
    found = advisor.odds(*call)
    assert not answer.exact
    assert found.exact
    assert found.boxes[0].category == "choice"
    assert str(found.words) == "for points score Yacht; to win score All"


def test_what_a_station_of_before_kept_is_used_still(tmp_path):
    few = parse_rules(FEW)
    solution = solve(few)
    (tmp_path / "advice").mkdir()
    (tmp_path / "advice" / f"{solution.model.fingerprint}.values").write_bytes(pack(solution, exact=True))
    assert Advisor(tmp_path).preparation(few).stage is JobStage.READY


def test_chances_that_are_more_than_their_share_are_estimated(tmp_path, ready):
    """The table of yacht-1938 takes 2.4 MB; with a share of 1 MB its chances are estimated, and said to
    be."""
    tight = Budget(table_bytes=1 * MB, layer_bytes=1 * MB, kept_bytes=4 * MB, games=2)
    advisor = Advisor(tmp_path, on_ready=ready, budget=tight)
    call = (
        built_in("yacht-1938"),
        AdviceSituation([Sheet(), Sheet((Entry("choice", 30),))], 0, (1, 2, 3, 4, 6), 2),
    )
    answer = advisor.odds(*call)
    assert answer.chances == ()
    assert "advice is for points" in str(answer.message)
    ready.wait()
    found = advisor.odds(*call)
    assert sum(found.chances) == pytest.approx(1.0)
    assert found.errors == (ERROR, ERROR)
    assert found.message == Message("odds/about")
    assert found.holds
    advisor.close()
    again = Advisor(tmp_path, budget=tight)
    assert again.odds(*call) == found


def test_what_is_worked_out_leaves_no_memory_behind(advisor, ready):
    """A process of its own does it: the tables of this one are files that are mapped."""
    few = parse_rules(FEW)
    advisor.solution(few)
    ready.wait()
    found = advisor.solution(few).values
    assert isinstance(found, np.memmap)


def test_what_a_power_cut_left_of_a_table_goes_at_the_next_start(tmp_path, monkeypatch):
    advisor, folder = Advisor(tmp_path), tmp_path / "advice"
    advisor.sweep()  # there is no folder yet
    with subprocess.Popen(["sleep", "600"]) as other:
        with monkeypatch.context() as earlier:
            earlier.setattr(os, "getpid", lambda: 2**22 + 1)  # a number that no process has
            left = [TableCache(folder).passing_place(), folder / f"abc.odds.{os.getpid()}.part"]
        left.append(folder / f"abc.sofar.{os.getpid()}.part")  # the same number as before
        kept = [folder / f"abc.means.{other.pid}.part", folder / "abc.means", folder / "by-hand.part"]
        for path in (*left, *kept):
            path.touch()
        advisor.sweep()
        assert sorted(folder.iterdir()) == sorted(kept)
        other.kill()


def test_only_the_end_of_the_latest_position_is_worked_out(advisor, ready, monkeypatch):
    few = parse_rules(FEW)
    advisor.solution_now(few)
    six, none = Sheet((Entry("sixes", 6),)), Sheet((Entry("sixes", 0),))
    advisor.odds(few, AdviceSituation([six, none], 0, (1, 1, 1, 2, 6), 0))
    for _ in range(2):  # the table of chances, and the end of the game
        ready.wait()
    begun, worked_out = [], []
    monkeypatch.setattr(Jobs, "begin", lambda *args: begun.append(args[-1]))
    monkeypatch.setattr(Apart, "call", lambda *args: worked_out.append(args[-2:]) or {args[-2:]: None})
    for sheets in ([Sheet(), six], [Sheet(), Sheet()]):
        advisor.odds(few, AdviceSituation(sheets, 0, (1, 1, 1, 2, 6), 0))
    for build in (*begun, begun[-1]):
        build(lambda _: None)
    assert len(begun) == 2
    assert len(worked_out) == 1, "not what has passed, and nothing twice"
    model = Model(few)
    assert worked_out[0] == tuple(place(model, of_sheet(few, Sheet())) for _ in range(2))


@pytest.mark.parametrize("limit", ["MOST_OPEN", "MOST_COLUMNS"])
def test_the_end_is_not_solved_where_it_takes_too_long(advisor, ready, monkeypatch, limit):
    begun, begin = [], Jobs.begin
    monkeypatch.setattr(
        Jobs, "begin", lambda jobs, name, *work: begun.append(name) or begin(jobs, name, *work)
    )
    monkeypatch.setattr(f"station.advice.odds.{limit}", 3)
    few = parse_rules(FEW)
    advisor.solution_now(few)
    sheets = [Sheet((Entry("sixes", 0),)), Sheet((Entry("sixes", 30),))]
    call = (few, AdviceSituation(sheets, 0, (1, 1, 1, 2, 6), 0))
    assert not advisor.odds(*call).exact
    ready.wait()  # for the table of chances
    found = advisor.odds(*call)
    assert found.chances
    assert not found.exact
    assert not [name for name in begun if name.startswith("end-")]


@pytest.mark.slow
def test_late_in_a_large_game_the_chances_are_known(advisor, ready):
    """Of Yahtzee the table of all sheets is too large; of those with six boxes open it is not."""
    rule_set = built_in("yahtzee")
    sheet = Sheet(tuple(Entry(category, 10) for category in rule_set.categories[:7]))
    call = (rule_set, AdviceSituation([sheet, sheet], 0))
    assert "Working out" in str(advisor.odds(*call).message)
    ready.wait()
    assert advisor.odds(*call).chances == pytest.approx([0.5, 0.5], abs=1e-9)
    later = fill(rule_set, sheet, "choice", (1, 2, 3, 4, 6))
    found = advisor.odds(rule_set, AdviceSituation([later, sheet], 1, (6, 6, 6, 6, 6), 2))
    assert found.holds[0].hold == (6, 6, 6, 6, 6)
    assert found.chances[1] > 0.8


def test_one_player_alone_has_won(advisor, ready):
    few = parse_rules(FEW)
    advisor.solution_now(few)
    advisor.odds(few, AdviceSituation([Sheet()], 0))
    ready.wait()
    assert advisor.odds(few, AdviceSituation([Sheet()], 0, (1, 2, 3, 4, 6), 2)).chances == pytest.approx(
        [1.0]
    )


def test_odds_wait_for_the_values(tmp_path):
    advisor = Advisor(tmp_path)
    advisor.close()
    assert advisor.odds(parse_rules(FEW), AdviceSituation([Sheet(), Sheet()], 0)).message == Message(
        "advice/stopping"
    )


@pytest.mark.slow
def test_shared_throws_are_estimated_with_their_error(advisor, ready):
    rule_set = built_in("shared-roll")
    ahead = Sheet(tuple(Entry(category, 20) for category in rule_set.categories[:-2]))
    behind = Sheet(tuple(Entry(category, 19) for category in rule_set.categories[:-2]))
    hands = ((1, 2, 2, 2, 2), (1, 2, 2, 2, 2))
    assert (
        advisor.odds(rule_set, AdviceSituation([ahead, behind], 0, (), 1, hands, in_turns=False)).chances
        == ()
    )
    ready.wait()
    found = advisor.odds(rule_set, AdviceSituation([ahead, behind], 0, (), 1, hands, in_turns=False))
    assert sum(found.chances) == pytest.approx(1.0)
    assert found.chances[0] > found.chances[1]
    assert len(found.errors) == 2


def test_the_words_for_two_advices():
    points = Hint((HoldValue((5, 5), 20.0),), ())
    win = WinHint((WinHold((), 0.5, 19.0),), (), points)
    assert str(words(built_in("yacht-1938"), points, win)) == "for points keep 5-5; to win roll all dice"


def test_a_chance_below_a_thousandth_is_not_spoken_of():
    """It said what to do to win with a chance of 0.0 %."""
    points = Hint((HoldValue((5, 5), 20.0), HoldValue((), 19.0)), ())
    for chance, spoken in ((0.0009, False), (0.0011, True)):
        holds = (WinHold((), chance, 19.0), WinHold((5, 5), 0.0, 20.0))
        assert WinHint(holds, (), points).differs == spoken


def test_a_big_general_that_has_won_asks_for_no_decision(advisor, ready):
    rules = built_in("general")
    call = (rules, AdviceSituation([Sheet(), Sheet()], 0, (6, 6, 6, 6, 6), 2))
    advisor.odds(*call)
    ready.wait()
    found = advisor.odds(*call)
    assert found.chances == (1.0, 0.0)
    assert (found.holds, found.boxes) == ((), ())


def test_chances_of_a_game_with_announced_boxes_come_from_games(advisor, ready):
    """No table of distributions is worked out for it; how scores spread is found once, and kept."""
    rules = parse_rules(FEW.replace("points = 50", "points = 50\nannounced = true").replace("few", "named"))
    ahead = Sheet((Entry("yacht", 50),))
    advisor.solution_now(rules)
    assert advisor.odds(rules, AdviceSituation([ahead, Sheet()], 1)).chances == ()
    ready.wait()
    found = advisor.odds(rules, AdviceSituation([ahead, Sheet()], 1))
    assert 0.5 < found.chances[0] < 0.99
    assert sum(found.chances) == pytest.approx(1.0)
    assert all(0.02 <= error < 0.1 for error in found.errors)
    assert len(advisor.kept_offsets(rules)) == 3
    thrown = advisor.odds(rules, AdviceSituation([ahead, Sheet()], 1, (6, 6, 6, 6, 6), 2))
    assert thrown.chances[1] > found.chances[1]
