"""The review of a past game: luck, decisions, the chances turn by turn."""

import threading
from pathlib import Path

import pytest

from station.advice.advisor import Advisor
from station.contract.answers import TableOdds
from station.game.evolve import replay
from station.game.log.state import State, totals
from station.store.event_log import MemoryLog
from station.strategy.forward.trials import Offset
from station.table.table import Table
from tests.asking import do
from tests.web.archived import Archived, archive
from tests.web.helpers import IDLE, JPEG
from web.advice.answers import Advice

__all__ = ["archive"]


PATIENCE_S = 300.0


class TestReview:
    """GET /api/v1/history/{game}/review"""

    def test_the_sums_hold_for_each_player(self, archive: Archived):
        number = archive.play("Ana", "Ben", rules="yacht-1938", turns=7)
        review = archive.client.get(f"/api/v1/history/{number}/review").get_json()
        assert (review["game"], [player["name"] for player in review["players"]]) == (number, ["Ana", "Ben"])
        for player in review["players"]:
            right = player["score"] + player["still_to_come"] - player["expected"]
            assert player["luck"] - player["given_away"] == pytest.approx(right, abs=1e-6)
            turns = player["turns"]
            assert sum(each["luck"] for turn in turns for each in turn["throws"]) == player["luck"]
            assert sum(each["cost"] for turn in turns for each in turn["decisions"]) == player["given_away"]
        assert [len(player["turns"]) for player in review["players"]] == [4, 3]
        first = review["dearest"][0]
        name = review["players"][first["seat"]]["name"]
        assert first["words"].startswith(f"{name}, turn {first['turn']}, ")
        costs = [
            each["cost"]
            for player in review["players"]
            for turn in player["turns"]
            for each in turn["decisions"]
        ]
        assert [each["cost"] for each in review["dearest"]] == sorted(costs, reverse=True)[:3]

    @pytest.mark.thorough
    def test_the_page_of_a_game_ended_early_names_what_was_still_to_come(self, archive: Archived):
        number = archive.play("Ana", "Ben", turns=3)
        page = archive.client.get(f"/history/{number}").get_data(as_text=True)
        assert "Still to come" in page
        assert "The costliest decisions" in page
        assert "“score " in page
        whole = archive.play("Ana", "Ben", rules="yacht-1938")
        assert "Still to come" not in archive.client.get(f"/history/{whole}").get_data(as_text=True)

    def test_once_games_have_told_how_far_off_values_are_it_goes_by_that(
        self, archive: Archived, monkeypatch: pytest.MonkeyPatch
    ):
        number = archive.play("Ana", rules="yacht-1938", turns=3)

        def expected_and_luck() -> tuple[float, float]:
            review = archive.client.get(f"/api/v1/history/{number}/review").get_json()
            return review["players"][0]["expected"], review["players"][0]["luck"]

        (expected, luck), measured = expected_and_luck(), tuple(Offset(12.0 - done) for done in range(12))
        monkeypatch.setattr(Advice, "offsets", lambda *_: measured)
        assert expected_and_luck() == (pytest.approx(expected + 12.0), pytest.approx(luck - 3.0))

    def test_who_is_renamed_meanwhile_has_the_new_name(self, archive: Archived):
        number = archive.play("Tom", rules="yacht-1938", turns=3)

        def name_and_words() -> tuple[str, str]:
            review = archive.client.get(f"/api/v1/history/{number}/review").get_json()
            return review["players"][0]["name"], " ".join(each["words"] for each in review["dearest"])

        assert name_and_words()[0] == "Tom"
        archive.client.post("/api/v1/people/rename", json={"name": "Tom", "to": "Tommy"})
        name, words = name_and_words()
        assert name == "Tommy"
        assert "Tom," not in words

    def test_a_copy_put_back_brings_no_review_of_another_game(self, archive: Archived, tmp_path: Path):
        archive.store.backup(tmp_path / "copy")
        games = []
        for seed in (1, 2):
            number = archive.play("Ana", rules="yacht-1938", turns=3, seed=seed)
            review = archive.client.get(f"/api/v1/history/{number}/review").get_json()
            games.append((number, review["players"][0]["turns"]))
            archive.table.stored.restore(tmp_path / "copy")
        assert games[0][0] == games[1][0], "both had that number"
        assert games[0][1] != games[1][1], "and the same number of events"

    @pytest.mark.slow
    def test_luck_the_best_decision_and_the_curve(self, tmp_path: Path):
        ready = threading.Event()
        advisor = Advisor(on_ready=ready.set)
        archive = Archived(tmp_path, advisor=advisor)
        number = archive.play("Ana", "Ben", rules="yacht-1938")
        address = f"/api/v1/history/{number}/review"
        review = archive.client.get(address).get_json()
        assert not review["curve"]
        assert "chances" in review["curve_message"]
        assert "Until then" not in review["curve_message"]
        assert ready.wait(PATIENCE_S)
        review = archive.client.get(address).get_json()
        throws = {
            (player["seat"], turn, throw): each["luck"]
            for player in review["players"]
            for turn, played in enumerate(player["turns"], 1)
            for throw, each in enumerate(played["throws"], 1)
        }
        lucky = review["luckiest"]
        assert throws[lucky["seat"], lucky["turn"], lucky["throw"]] == lucky["luck"] == max(throws.values())
        saved = [d["saved"] for p in review["players"] for turn in p["turns"] for d in turn["decisions"]]
        assert (review["best"] or {"saved": 0})["saved"] == max(saved)
        assert len(review["curve"]) == 2 * 12 + 1
        assert review["curve"][0] == pytest.approx([0.5, 0.5], abs=0.02)
        assert all(sum(each) == pytest.approx(1) for each in review["curve"])
        game = next(game for game in archive.store.games() if game.game == number)
        winners = [player.won for player in game.players]
        assert review["curve"][-1] == [won / sum(winners) for won in winners]
        page = archive.client.get(f"/history/{number}").get_data(as_text=True)
        assert "Chance to win, turn by turn" in page
        assert page.count('<polyline class="line line-') == 2
        assert "<img" not in page
        archive.pictures[number, lucky["seat"], lucky["turn"], lucky["throw"]] = JPEG
        picture = f"/history/{number}/{lucky['seat']}-{lucky['turn']}-{lucky['throw']}.jpg"
        assert f'src="{picture}"' in archive.client.get(f"/history/{number}").get_data(as_text=True)
        assert archive.client.get(picture).data == JPEG
        assert archive.client.get(f"/history/{number}/0-99-1.jpg").status_code == 404
        archive.store.close()
        advisor.close()

    def test_a_game_there_is_not_has_none(self, archive: Archived):
        assert archive.client.get("/api/v1/history/7/review").status_code == 404


class ForTheLeader(Advice):
    """Whoever has more points is sure to win."""

    def odds(self, state: State) -> TableOdds:
        points = [totals(state, player).total for player in state.players]
        return TableOdds(tuple(float(each == max(points)) for each in points))


def test_the_chances_of_a_game_are_those_of_who_sat_there_at_its_end():
    log = MemoryLog()
    table = Table(log)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    for faces in ([6, 6, 6, 6, 6], [1, 2, 3, 4, 6]):
        do(table, {"command": "enter_roll", "faces": faces})
        do(table, {"command": "score_box", "category": "yacht"})
    do(table, {"command": "add_player", "name": "Cleo"})
    do(table, {"command": "move_player", "player": 0, "to": 2})
    do(table, {"command": "end_game"})
    curve, _ = ForTheLeader(IDLE).curve(log.events())
    assert curve[1:3] == ((0.0, 0.0, 1.0),) * 2, "Ana leads, who sits last now"
    assert curve[0] == (1.0, 0.0, 1.0), "of Cleo nothing was known"


@pytest.mark.needs_feature("throw_off")
def test_where_it_was_thrown_for_who_starts_the_chances_begin_before_the_first_turn_too():
    log = MemoryLog()
    table = Table(log)
    begin = {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938", "starter": "throw"}
    do(table, begin)
    for face in (5, 2):
        do(table, {"command": "enter_roll", "faces": [face]})
    do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    do(table, {"command": "score_box", "category": "yacht"})
    do(table, {"command": "end_game", "winners": [0]})
    curve, _ = ForTheLeader(IDLE).curve(log.events())
    assert curve == ((1.0, 1.0), (1.0, 0.0), (1.0, 0.0)), "the start, Ana's turn, and the end"


@pytest.mark.needs_feature("handicaps")
def test_what_is_expected_of_one_who_plays_alone_has_the_points_the_game_began_with():
    log = MemoryLog()
    table = Table(log)
    ana = {"name": "Ana", "handicap": 40}
    do(table, {"command": "start_game", "players": [ana], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    do(table, {"command": "score_box", "category": "little-straight"})
    odds = Advice(IDLE).odds(replay(log.events()))
    assert odds.par == pytest.approx(40 + 166.96)
    assert odds.expected == (pytest.approx(40 + 179.19),)
