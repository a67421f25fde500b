"""An old score file: CSV with a date and the totals of a game on each line.

Either the first line names the players, and each line below has their totals, empty for who did not play; or
each line has a name and a total in turn:

    date,Ana,Ben,Cleo            2019-12-24,Ana,231,Ben,187
    2019-12-24,231,187,
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.contract.fields import PLAYERS_MAX
from station.contract.names import checked_names
from station.store.past_games import PastGame

CLOCK = r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?)?"
ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})" + CLOCK)
DOTTED = re.compile(r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})" + CLOCK)
TOTAL = re.compile(r"-?\d{1,5}")
SHOWN = 30
"""The most characters in a cell."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cannot be taken, and why."""

    line: int
    why: Message


def read(text: str, rules: str, today: date) -> tuple[Sequence[PastGame], Sequence[Fault]]:
    """The games of a file, in its order, and what is wrong with the others. today: nothing is later.

    Games without a time of day were played at noon and after, one a minute, so that a day keeps its order.
    """
    games: list[PastGame] = []
    faults: list[Fault] = []
    lines: dict[object, int] = {}
    days: dict[date, int] = {}
    for line, cells, names in _rows(text, faults):
        try:
            day, at = _when(cells[0], today)
            totals = _totals(cells[1:], names)
            _only_once(lines, (day, at, totals), line)
        except (BadInputError, RefusalError) as error:
            faults.append(Fault(line, error.message))
        else:
            before = days[day] = days.get(day, -1) + 1
            played = datetime.combine(day, at or time(12)) + timedelta(minutes=0 if at else before)
            games.append(PastGame(rules, played.astimezone(UTC).isoformat(timespec="seconds"), totals))
    return games, sorted(faults, key=lambda fault: fault.line)


def _only_once(lines: dict[object, int], game: object, line: int) -> None:
    """Raise BadInputError where a line before tells the same game."""
    if (other := lines.setdefault(game, line)) != line:
        raise BadInputError("score-file/twice", other=other)


def _rows(text: str, faults: list[Fault]) -> Iterator[tuple[int, list[str], tuple[str, ...]]]:
    """The lines with something on them: number, cells, and the players that the first line names."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    names: tuple[str, ...] | None = None
    try:
        for row in reader:
            cells = [each.strip() for each in row]
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                continue
            if names is None and not cells[0][:1].isdigit():
                try:
                    names = checked_names(cells[1:])
                except RefusalError as error:
                    faults.append(Fault(reader.line_num, error.message))
                    return
            else:
                names = names or ()
                yield reader.line_num, cells, names
    except csv.Error as error:
        faults.append(Fault(reader.line_num, Message("score-file/csv", why=str(error))))


def _when(cell: str, today: date) -> tuple[date, time | None]:
    """The day, and the time if there is one. Raises BadInputError."""
    found = ISO.fullmatch(cell) or DOTTED.fullmatch(cell)
    parts = {} if found is None else {name: int(part) for name, part in found.groupdict().items() if part}
    at = {name: parts.pop(name) for name in ("hour", "minute") if name in parts}
    try:
        day, clock = date(**parts), time(at["hour"], at["minute"]) if at else None
    except (TypeError, ValueError):  # where nothing was found, or there is no such day
        raise BadInputError("score-file/date", found=cell[:SHOWN]) from None
    if day > today:
        raise BadInputError("score-file/future", found=cell[:SHOWN])
    return day, clock


def _totals(cells: Sequence[str], names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Name and total of everybody. Raises BadInputError, RefusalError for a name that cannot be."""
    if names:
        if len(cells) > len(names):
            raise BadInputError("score-file/wide", count=len(names))
        scores = [(name, cell) for name, cell in zip(names, cells, strict=False) if cell]
    else:
        if len(cells) % 2:
            raise BadInputError("score-file/odd", found=cells[-1][:SHOWN])
        scores = list(zip(checked_names(cells[::2]), cells[1::2], strict=True))
    if not 0 < len(scores) <= PLAYERS_MAX:
        raise BadInputError("score-file/players", count=PLAYERS_MAX)
    for name, cell in scores:
        if not TOTAL.fullmatch(cell):
            raise BadInputError("score-file/total", name=name, found=cell[:SHOWN])
    return tuple((name, int(cell)) for name, cell in scores)
