"""Each table is sent its next game: what a broker is told by random steps of an evening."""

import random
from pathlib import Path

import pytest

from board import steps
from board.hall import Hall
from board.next_games import PAIRING, news
from board.reports import folded
from messages.errors import RefusalError
from station.contract.pairing import Pairing
from tests.board.telling import game_over, open_hall, state

TABLES = ("attic", "Garden", "hall 2")
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil")


@pytest.fixture
def hall(tmp_path: Path):
    opened, kept = open_hall(tmp_path)
    yield opened
    kept.close()


def some_step(hall: Hall, chance: random.Random, event: int) -> None:
    """Something that happens at a club."""
    now = hall.evening.competition
    spots = [] if now is None else list(now.games())
    spot, who = chance.choice(spots) if spots else (None, ())
    match chance.choice(
        ("open", "draw", "draw", "move", "score", "clear", "undo", "attend", "over", "over", "table")
    ):
        case "open":
            system = chance.choice(("round-robin", "swiss", "seatings"))
            hall.take(steps.Open(title="Cup", system=system), *(steps.Enter(name=each) for each in NAMES))
        case "draw":
            hall.draw(chance.choice((TABLES, ("ATTIC",), ("nowhere", "garden"))))
        case "move" if spot:
            hall.take(
                steps.MoveGame(round=spot.round, seating=spot.seating, table=chance.choice((*TABLES, "")))
            )
        case "score" if spot:
            hall.take(steps.SetResult(round=spot.round, seating=spot.seating, points=tuple(range(len(who)))))
        case "clear" if spot:
            hall.take(steps.Clear(round=spot.round, seating=spot.seating))
        case "undo":
            hall.take(steps.UndoStep())
        case "attend" if now:
            hall.take(steps.Attend(entrant=chance.randrange(len(NAMES)), absent=chance.random() < 0.5))
        case "over" if who:
            hall.receive([game_over(chance.choice(TABLES), event, event, dict.fromkeys(who, event))])
        case "table":
            hall.receive([state(chance.choice(TABLES), event, {"Ana": 1})])
        case _:
            pass


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_each_table_has_its_first_open_game(hall: Hall, seed: int):
    """By a small broker, which loses all now and then, and has pairings of another board."""
    chance = random.Random(seed)
    other = PAIRING.dump_json(Pairing("League", 1, ("Zoe",), "league"))
    broker: dict[str, bytes] = {"attic": other, "cellar": other, "Garden": b"nonsense"}
    for event in range(1, 60):
        try:
            some_step(hall, chance, event)
        except RefusalError:
            continue
        if chance.random() < 0.05:
            broker = {}
        wanted = hall.next_games("club")
        for table, pairing in news(wanted, broker, "club").items():
            broker[table] = b"" if pairing is None else PAIRING.dump_json(pairing)
        assert not news(wanted, broker, "club"), "told once"
        assert broker.get("cellar", other) == other, "is another board's"
        now, known = hall.evening.competition, [each.table for each in hall.tables()]
        for table in (*TABLES, "cellar"):
            games = [
                (spot, who)
                for spot, who in (now.games() if now else ())
                if spot not in hall.evening.results
                and folded(now.rounds[spot.round].seatings[spot.seating].tables[spot.game]) == folded(table)
                and table in known
            ]
            kept = broker.get(table, b"")
            if not games:
                assert kept in {b"", other, b"nonsense"}
                continue
            shown = PAIRING.validate_json(kept)
            spot, who = min(games, key=lambda each: (each[0].round, each[0].seating, each[0].game))
            assert (shown.title, shown.round, shown.players, shown.board) == (
                "Cup",
                spot.round + 1,
                who,
                "club",
            )
