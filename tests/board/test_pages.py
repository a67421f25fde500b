"""The board's pages without a browser: who may do what, what is refused, printed, said on the line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from board import steps
from board.hall import Hall
from board.pages.evening_view import evening_view
from board.pages.factory import create_board
from board.pages.live import Lines
from station.screens.tries import FREE, FREE_OF_HOUSE
from tests.board.telling import game_over, open_hall, state
from tests.web.helpers import TEMPLATES
from tests.web.pdf import written

STRANGER = {"REMOTE_ADDR": "192.0.2.9"}


@pytest.fixture
def hall(tmp_path: Path):
    opened, kept = open_hall(tmp_path)
    yield opened
    kept.close()


@pytest.fixture
def client(hall: Hall):
    app = create_board(hall, title="The club", code="271828", secret="s")  # noqa: S106 - of a test
    app.jinja_env.bytecode_cache = TEMPLATES
    return app.test_client()


def begin(client) -> None:
    assert (
        client.post("/organise/open", data={"title": "Cup", "system": "swiss", "rounds": "3"}).status_code
        == 303
    )
    assert client.post("/organise/enter", data={"names": "Ana\n\n Ben \nCleo"}).status_code == 303
    assert client.post("/organise/draw").status_code == 303


def test_who_looks_on_changes_nothing_without_the_code(client):
    page = client.get("/organise", environ_base=STRANGER)
    assert "Organiser" in page.text
    assert "New competition" not in page.text
    refused = client.post("/organise/open", data={"title": "x", "system": "swiss"}, environ_base=STRANGER)
    assert (refused.status_code, "Only the organiser" in refused.text) == (403, True)
    for _ in range(FREE + 1):
        wrong = client.post("/organise/code", data={"code": "1"}, environ_base=STRANGER)
        assert (wrong.status_code, "not the organiser" in wrong.text) == (403, True)
    waits = client.post("/organise/code", data={"code": "271828"}, environ_base=STRANGER)
    assert "Try again in" in waits.text
    other = {"REMOTE_ADDR": "192.0.2.10"}
    assert client.post("/organise/code", data={"code": " 271828 "}, environ_base=other).status_code == 303
    assert "New competition" in client.get("/organise", environ_base=other).text
    forged = client.post("/organise/draw", headers={"Origin": "http://evil.example"})
    assert forged.status_code == 403


@pytest.mark.parametrize(
    ("what", "typed", "status", "told"),
    [
        ("enter", {"names": "ana"}, 422, "Somebody is called ana already"),
        ("enter", {"names": "Dora\nEmil\nana"}, 422, "Somebody is called ana already"),
        ("enter", {"names": "Dora\nEmil\ndora"}, 422, "Somebody is called dora already"),
        ("enter", {"names": "x" * 99}, 400, "at most 24"),
        ("enter", {"names": "Maximiliane-Charlotte"}, 422, "20 letters fit on the sheet"),
        ("draw", {}, 422, "still need"),
        ("score", {"spot": "0.0.0", "points0": "200", "points1": ""}, 422, "Type in everyone"),
        ("score", {"spot": "0.0.0", "points0": "two", "points1": "3"}, 400, "points"),
        ("score", {"spot": "9.0.0", "points0": "2", "points1": "3"}, 422, "no such game"),
        ("score", {"spot": "", "points0": "2", "points1": "3"}, 400, "round"),
        ("take", {"what": "nonsense"}, 400, "round"),
        ("take", {"what": f"0.0.0;attic/{10**20}"}, 400, "number"),
        ("open", {"title": "", "system": "swiss"}, 400, "title"),
        ("open", {"title": "x", "system": "chess"}, 400, "system"),
        ("attend", {"entrant": "77", "absent": "true"}, 422, "Nobody has that number"),
        ("nonsense", {}, 422, "nothing at this address"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(client, hall: Hall, what, typed, status, told):
    begin(client)
    before = hall.news, hall.last_step
    answer = client.post(f"/organise/{what}", data=typed)
    assert (answer.status_code, told in answer.text) == (status, True), answer.text[-900:]
    assert (hall.news, hall.last_step) == before


def test_the_form_of_a_result_shows_what_was_decided_and_keeps_what_was_typed(client):
    begin(client)
    for typed, chosen in (
        ({"points0": "100", "points1": "100", "decided": "won1"}, "won1"),
        ({"points0": "100", "points1": "90", "decided": ""}, None),
        ({"points0": "100", "points1": "90", "decided": "won1"}, "won1"),
        ({"points0": "", "points1": "", "decided": "forfeit0"}, "forfeit0"),
        ({"points0": "", "points1": "", "decided": "forfeit"}, "forfeit"),
    ):
        assert client.post("/organise/score", data={"spot": "0.0.0", **typed}).status_code == 303
        found = re.findall(r'<option value="(\w+)" selected>', client.get("/organise").text)
        assert found == ([] if chosen is None else [chosen])
    half = {"spot": "0.0.0", "points0": "210", "points1": "", "decided": "won0"}
    refused = client.post("/organise/score", data=half)
    assert refused.status_code == 422
    assert 'name="points0" inputmode="numeric" pattern="-?[0-9]*" maxlength="6" value="210"' in refused.text
    assert '<option value="won0" selected>' in refused.text


def test_every_form_does_what_it_says(client, hall: Hall):
    begin(client)
    client.post(
        "/organise/score", data={"spot": "0.0.0", "points0": "100", "points1": "100", "decided": "won1"}
    )
    (result,) = hall.evening.results.values()
    assert (result.points, result.winners) == ((100, 100), (1,))
    client.post("/organise/clear", data={"round": "0", "seating": "0", "game": "0"})
    client.post(
        "/organise/score", data={"spot": "0.0.0", "points0": "", "points1": "", "decided": "forfeit0"}
    )
    (result,) = hall.evening.results.values()
    assert (result.points, result.shares) == (None, (1.0, 0.0))
    client.post("/organise/undo")
    client.post("/organise/move", data={"round": "0", "seating": "0", "game": "0", "table": "garden"})
    hall.receive([game_over("attic", 1, 1, {"Anna": 5, "Ben": 6})])
    page = client.get("/organise").text
    assert 'value="0.0.0;attic/1"' in page
    assert 'value="garden"' in page
    client.post("/organise/take", data={"what": "0.0.0;attic/1"})
    assert [each.points for each in hall.evening.results.values()] == [(5, 6)]
    for language, word in (("en", "from the table"), ("de", "vom Tisch"), ("fr", "de la table")):
        for path in ("/", "/evening", "/organise", "/health"):
            answer = client.get(path, headers={"Accept-Language": language})
            assert answer.status_code == 200
        assert word in client.get("/evening", headers={"Accept-Language": language}).text


@pytest.mark.parametrize(
    ("what", "typed"),
    [
        ("score", {"spot": "0.0.0", "points0": "200", "points1": "100"}),
        ("clear", {"round": "0", "seating": "0", "game": "0"}),
        ("move", {"round": "0", "seating": "0", "game": "0", "table": "garden"}),
        ("attend", {"entrant": "0", "absent": "true"}),
    ],
)
def test_what_was_typed_for_one_game_is_not_kept_for_another_that_took_its_place(
    client, hall: Hall, what, typed
):
    """Two organisers: what one types while the other types stands, what was drawn anew does not."""
    begin(client)
    client.post("/organise/score", data={"spot": "0.0.0", "points0": "1", "points1": "2"})
    typed = typed | {"after": str(hall.last_step)}
    client.post("/organise/enter", data={"names": "Dora"})
    assert client.post(f"/organise/{what}", data=typed).status_code == 303
    for _ in range(3):
        client.post("/organise/undo")
    client.post("/organise/enter", data={"names": "Emil"})
    client.post("/organise/draw")
    before = hall.last_step
    answer = client.post(f"/organise/{what}", data=typed)
    assert (answer.status_code, "Things have moved on" in answer.text) == (422, True)
    assert hall.last_step == before


def test_what_somebody_said_of_a_game_and_nothing_else_can_be_taken_back(client, hall: Hall):
    begin(client)
    button = 'action="/organise/clear"'
    hall.receive([game_over("attic", 1, 1, {"Ana": 7, "Ben": 8})])
    assert button not in client.get("/organise").text
    client.post(
        "/organise/score", data={"spot": "0.0.0", "points0": "", "points1": "", "decided": "forfeit0"}
    )
    assert button in client.get("/organise").text
    client.post("/organise/clear", data={"round": "0", "seating": "0", "game": "0"})
    assert [each.points for each in hall.evening.results.values()] == [(7, 8)]
    assert button not in client.get("/organise").text


def test_only_names_that_a_table_takes_take_part_and_a_team_may_have_a_longer_one(client, hall: Hall):
    """A result comes by the names of the board: they have to be taken where people sit down."""
    begin(client)
    for names in ("Maximiliane-Charlotte", "Dora\nMaximiliane-Charlotte", "Do\u202era", "\u3164"):
        answer = client.post("/organise/enter", data={"names": names})
        assert (answer.status_code, len(hall.evening.competition.entrants)) == (422, 3)
    client.post("/organise/open", data={"title": "League", "system": "round-robin"})
    for names, status in (("The Maximiliane Team: Ana, Ben", 303), ("Red: Cleo, Maximiliane-Charlotte", 422)):
        assert client.post("/organise/enter", data={"names": names}).status_code == status
    assert [each.name for each in hall.evening.competition.entrants] == ["The Maximiliane Team"]


def test_a_game_of_others_is_offered_where_as_many_play(client, hall: Hall):
    begin(client)
    hall.receive([game_over("attic", 1, 1, {"Anna": 5, "Ben": 6}), game_over("attic", 2, 2, {"Xenia": 9})])
    page = client.get("/organise").text
    assert ("0.0.0;attic/1" in page, "0.0.0;attic/2" in page) == (True, False)


def test_a_game_that_was_ended_early_is_offered_as_that_of_its_players_first(client, hall: Hall):
    """One press is to give it to who played it, not to whoever stands first in the round."""
    client.post("/organise/open", data={"title": "Cup", "system": "swiss"})
    client.post("/organise/enter", data={"names": "Ana\nBen\nCleo\nDora"})
    client.post("/organise/draw")  # Ana and Cleo, Ben and Dora
    hall.receive([game_over("attic", 1, 1, {"DORA": 5, "Ben": 6}, ended_by="early")])
    (chosen,) = re.findall(r'<option value="([^"]*attic/1)" selected>', client.get("/organise").text)
    assert chosen == "0.1.0;attic/1"
    client.post("/organise/take", data={"what": chosen})
    assert {spot.seating: each.points for spot, each in hall.evening.results.items()} == {1: (6, 5)}


def test_who_sits_alone_has_a_game_that_nobody_plays(client, hall: Hall):
    client.post("/organise/open", data={"title": "Cup", "system": "seatings", "size": "2"})
    client.post("/organise/enter", data={"names": "Ana\nBen\nCleo"})
    client.post("/organise/draw")
    seatings = hall.evening.competition.rounds[0].seatings
    alone = next(i for i, each in enumerate(seatings) if len(each.entrants) == 1)
    typed = {"spot": f"0.{alone}.0", "points0": "", "decided": "forfeit0"}
    assert client.post("/organise/score", data=typed).status_code == 303
    assert [each.shares for each in hall.evening.results.values()] == [(0.0,)]
    assert evening_view(hall.evening).rounds[0].games[alone].won == (), (
        "nobody is behind, and no star stands there"
    )
    assert '<option value="forfeit0" selected>' in client.get("/organise").text


def test_before_anybody_takes_part_no_round_is_told_of(client):
    """A round robin of nobody has as many rounds as none."""
    client.post("/organise/open", data={"title": "Feast", "system": "round-robin", "meetings": "1"})
    for path in ("/evening", "/organise"):
        page = client.get(path).text
        assert "First round not drawn yet" in page
        assert " of -" not in page
    assert client.get("/api/v1/board").json["evening"]["planned"] == 0


def test_a_table_of_twelve_gets_the_points_that_were_typed_for_each(client, hall: Hall):
    client.post("/organise/open", data={"title": "Feast", "system": "seatings", "size": "12"})
    client.post("/organise/enter", data={"names": "\n".join(f"Guest {number}" for number in range(12))})
    client.post("/organise/draw")
    client.post(
        "/organise/score", data={"spot": "0.0.0"} | {f"points{each}": str(100 + each) for each in range(12)}
    )
    (result,) = hall.evening.results.values()
    assert result.points == tuple(range(100, 112))


def test_who_wins_where_nobody_goes_on_is_said_to_win(client):
    client.post("/organise/open", data={"title": "Cup", "system": "round-robin", "meetings": "1"})
    client.post("/organise/enter", data={"names": "Ana\nBen"})
    client.post("/organise/draw")
    page = client.get("/organise").text
    assert "Ana wins" in page
    assert "goes on" not in page


def test_a_game_of_an_earlier_round_that_nobody_has_played_is_still_open(hall: Hall):
    hall.take(steps.Open(title="League", system="round-robin"))
    hall.take(*(steps.Enter(name=name) for name in ("Ana", "Ben", "Cleo", "Dora")))
    hall.draw()
    hall.take(steps.SetResult(round=0, seating=0, points=(1, 2)))
    hall.draw()
    told = evening_view(hall.evening, last=1)
    assert [each.number for each in told.rounds] == [2]
    assert [(each.players, each.how) for each in told.earlier] == [(("Ben", "Cleo"), None)]
    assert evening_view(hall.evening).earlier == ()
    hall.take(steps.SetResult(round=0, seating=1, points=(1, 2)))
    assert evening_view(hall.evening, last=1).earlier == ()


def test_paper_is_printed_in_every_system_and_what_is_not_there_is_404(client, hall: Hall):
    hall.take(steps.Open(title="League 🎲", system="knockout"))  # a letter the font has not
    hall.take(
        steps.Enter(name="Red", members=("Ana", "Ben")), steps.Enter(name="Blue", members=("Cleo", "Dora"))
    )
    hall.draw()
    hall.take(steps.SetResult(round=0, seating=0, game=1, points=None, winners=(0,)))
    for path in ("/evening/1", "/evening/1/standings.pdf", "/evening/1/round-1.pdf"):
        assert client.get(path).status_code == 200
    for path in (
        "/evening/7",
        "/evening/1/round-2.pdf",
        "/evening/7/standings.pdf",
        "/evening/1/round-9999999.pdf",
    ):
        assert client.get(path).status_code == 404


def test_no_word_is_torn_on_paper(client):
    begin(client)
    for language, heads in (("de", ("Platz", "Sonneborn-Berger")), ("fr", ("Classement", "Jouées"))):
        pdf = client.get("/evening/1/standings.pdf", headers={"Accept-Language": language}).data
        assert [head for head in heads if head not in written(pdf)] == []


def test_the_live_line_says_everything_once_then_what_changed(hall: Hall):
    lines = Lines(hall, viewers_max=1, pages="5f0c")
    hall.receive([state("attic", 1, {"Ana": 3}), state("kitchen", 1, {"Ben": 4})])
    line = lines.listen()
    with pytest.raises(Exception, match="1"):
        lines.listen()

    def told() -> Any:
        return json.loads(next(line).decode().partition("data: ")[2])

    assert told() == "5f0c", "the version of the pages"
    first = told()
    assert [each["table"] for each in first["tables"]] == ["attic", "kitchen"]
    assert first["evening"] is None
    hall.receive([state("kitchen", 2, {"Ben": 9})])
    assert [each["players"][0]["total"] for each in told()["tables"]] == [9]
    hall.take(steps.Open(title="Cup", system="swiss"))
    again = told()
    assert (again["tables"], again["evening"]["title"]) == ([], "Cup")
    lines.close()
    with pytest.raises(StopIteration):
        next(line)
    lines.listen().close()  # its place is free again


def test_screens_that_are_told_at_one_time_are_told_the_same(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    """What changes meanwhile comes with the next tenth of a second; the long evening less often."""
    tenth = [0]
    monkeypatch.setattr("board.pages.live.time.monotonic", lambda: tenth[0] / 10 + 0.05)
    lines = Lines(hall, viewers_max=2)
    monkeypatch.setattr(lines._closing, "wait", lambda _: False)
    screens = [lines.listen(), lines.listen()]
    for screen in screens:
        next(screen), next(screen)
    totals, titles = [], []
    for number in range(1, 31):
        tenth[0] += 1
        hall.receive([state("attic", 2 * number, {"Ana": 2 * number})])
        hall.take(steps.Open(title=f"Cup {number}", system="swiss"))
        told = next(screens[0])
        hall.receive([state("attic", 2 * number + 1, {"Ana": 2 * number + 1})])
        assert next(screens[1]) == told
        found = json.loads(told.partition(b"data: ")[2])
        totals += [each["players"][0]["total"] for each in found["tables"]]
        titles += [found["evening"]["title"]] if "evening" in found else []
    assert totals == [2 * number for number in range(1, 31)]
    assert titles == [f"Cup {number}" for number in (5, 10, 15, 20, 25, 30)]


def test_a_form_that_is_sent_twice_is_done_once(client, hall: Hall):
    begin(client)
    drawn = hall.last_step
    evening_view = client.get("/organise").text
    forms = evening_view.count("<form") - 1  # but for that of who takes part
    assert evening_view.count(f'name="after" value="{drawn}"') == forms
    forms = {"undo": {}, "draw": {}, "open": {"title": "Cup", "system": "swiss"}}
    for what, typed in forms.items():
        before = hall.last_step
        data = {**typed, "after": str(before)}
        first = client.post(f"/organise/{what}", data=data)
        again = client.post(f"/organise/{what}", data=data)
        assert (first.status_code, again.status_code) == (303, 422)
        assert "Things have moved on" in again.text
        assert hall.last_step == before + 1
    assert client.post("/organise/undo", data={"after": "9" * 5000}).status_code == 422


def test_the_code_is_tried_from_many_addresses_no_more_often_than_from_few(client):
    said = [
        client.post("/organise/code", data={"code": "1"}, environ_base={"REMOTE_ADDR": f"192.0.2.{number}"})
        for number in range(FREE_OF_HOUSE + 5)
    ]
    assert sum("not the organiser" in each.text for each in said) == FREE_OF_HOUSE + 1
    assert "New competition" in client.get("/organise").text, "the board's own screen needs no code"


def test_two_boards_of_one_host_leave_each_other_the_organiser(hall: Hall):
    """A browser sends a host's cookies to each of its ports."""
    boards = [create_board(hall, title="The club", code=code, secret=code) for code in ("271828", "314159")]
    one, other = (each.test_client() for each in boards)
    other._cookies = one._cookies  # one browser
    for board, code in ((one, "271828"), (other, "314159")):
        entered = board.post("/organise/code", data={"code": code}, environ_base=STRANGER)
        assert entered.status_code == 303
    for board in (one, other):
        assert "New competition" in board.get("/organise", environ_base=STRANGER).text


def test_an_organiser_stays_one_when_the_cookie_gets_another_name(client):
    client.post("/organise/code", data={"code": "271828"}, environ_base=STRANGER)
    ((_, cookie),) = client._cookies.items()
    client.delete_cookie(cookie.key)
    assert "New competition" not in client.get("/organise", environ_base=STRANGER).text
    client.set_cookie("organiser", cookie.value)
    assert "New competition" in client.get("/organise", environ_base=STRANGER).text


def test_a_cookie_of_other_letters_makes_nobody_an_organiser(client):
    looked = client.get("/organise", environ_base=STRANGER, headers={"Cookie": "organiser=\u00e4"})
    assert (looked.status_code, "New competition" in looked.text) == (200, False)


def test_through_a_proxy_nobody_is_at_the_board(client):
    assert "New competition" in client.get("/organise").text
    assert "New competition" not in client.get("/organise", headers={"Via": "1.1 proxy"}).text


def test_a_new_competition_takes_what_its_system_needs_and_nothing_else(client, hall: Hall):
    """A script-less browser sends all fields, also one with nonsense in what is not shown."""
    typed = {"title": "Cup", "meetings": "2", "rounds": "none", "size": "99"}
    assert client.post("/organise/open", data={**typed, "system": "round-robin"}).status_code == 303
    assert hall.evening.competition.meetings == 2
    assert client.post("/organise/open", data={**typed, "system": "knockout"}).status_code == 303
    assert client.post("/organise/open", data={**typed, "system": "swiss"}).status_code == 400


def test_results_of_no_game_are_told_to_the_hall(client, hall: Hall):
    begin(client)
    hall.receive(
        [
            game_over("attic", 1, 1, {"Xenia": 5, "Yann": 6}),
            game_over("attic", 2, 2, {"Ana": 9}, ended_by="early"),
        ]
    )
    told = client.get("/api/v1/board").get_json()["evening"]["unclaimed"]
    assert [(each["table"], each["players"], each["points"], each["early"]) for each in told] == [
        ("attic", ["Ana"], [9], True),
        ("attic", ["Xenia", "Yann"], [5, 6], False),
    ]
