"""The next game of each table, and which of them have yet to be published. Pure."""

from collections.abc import Iterable, Mapping

from pydantic import TypeAdapter, ValidationError

from board.competition import Competition, Result, Spot
from board.reports import folded
from messages.errors import RefusalError
from station.contract.names import clean_name
from station.contract.pairing import Pairing

PAIRING = TypeAdapter(Pairing)
TOPIC = "pairing"
"""Below the name of a table."""


def next_games(
    competition: Competition | None, results: Mapping[Spot, Result], tables: Iterable[str], board: str
) -> dict[str, Pairing]:
    """The first game without a result, by table.

    tables: those that are known. board: the name of the one that says so.
    """
    if competition is None:
        return {}
    known = {folded(each): each for each in tables}
    found: dict[str, Pairing] = {}
    for spot, players in competition.games():
        table = known.get(folded(competition.rounds[spot.round].seatings[spot.seating].tables[spot.game]))
        if table is not None and spot not in results:
            found.setdefault(
                table, Pairing(competition.title, spot.round + 1, tuple(map(_clean, players)), board)
            )
    return found


def _clean(name: str) -> str:
    """The name as a station stores it."""
    try:
        return clean_name(name)
    except RefusalError:
        return name


def news(wanted: Mapping[str, Pairing], there: Mapping[str, bytes], board: str) -> dict[str, Pairing | None]:
    """The pairings to publish, by table; None clears one. there: what the broker retains.

    What another board has sent is left alone where this one has nothing to say.

    >>> mine = Pairing("Cup", 1, ("Ana", "Ben"), "club")
    >>> kept = {"attic": PAIRING.dump_json(mine), "hall": b"nonsense"}
    >>> news({}, kept, "club"), news({"attic": mine}, kept, "club"), news({}, kept, "league")
    ({'attic': None}, {}, {})
    """
    sent = {table: _read(payload) for table, payload in there.items()}
    gone = {
        table: None for table, each in sent.items() if table not in wanted and each and each.board == board
    }
    return gone | {table: each for table, each in wanted.items() if sent.get(table) != each}


def _read(payload: bytes) -> Pairing | None:
    try:
        return PAIRING.validate_json(payload) if payload else None
    except ValidationError:
        return None
