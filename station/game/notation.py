"""A game as text: one line for each event, made to be read, written by hand and kept as a transcript.

    start 3 0 yacht-1938 "Ana" "Ben"
    roll 4 6 1 6 2
    hold 2 4
    roll 3 6 3 6 1
    box sixes
    undo

A turn may also stand on one line, its events divided by semicolons; so a whole game fits on a page (`page`).
Where dice lay on the tray is not part of it. After the names may stand house rules, `with "their text"`, who
starts, `first 1` (the seat, from 0), and how that was found out, `by random`, and words of features.
`end nobody` ends a game that nobody has won, `end 0` one that seat 0 has, `end` one that goes to most points.
Empty lines and what follows a # do not count.
"""

import re
from collections.abc import Iterable
from itertools import groupby

from messages.errors import BadInputError
from station.game.events import READERS, Event, from_json

SHOWN = 80
"""Letters of a wrong event that its sentence repeats."""

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|#.*|;|[^\s;]+')


def write(log: Iterable[Event]) -> str:
    """The events as text, one a line.

    >>> from station.game.events import BoxScored, HeldSet, Undone
    >>> print(write([HeldSet((2, 4)), BoxScored("sixes"), Undone()]), end="")
    hold 2 4
    box sixes
    undo
    """
    return "".join(f"{' '.join(event.words())}\n" for event in log)


def read(text: str) -> tuple[Event, ...]:
    """The events of a text.

    Raises BadInputError naming the line that cannot be read.
    """
    return tuple(event for _, event in numbered(text))


def numbered(text: str) -> tuple[tuple[int, Event], ...]:
    """The same, each with the number of its line, from 1."""
    events = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word for word in WORD.findall(line) if not word.startswith("#")]
        for is_gap, parts in groupby(words, lambda word: word == ";"):
            if is_gap:
                continue
            name, *rest = parts
            try:
                events.append((number, from_json(READERS[name](rest).to_json())))
            except (BadInputError, KeyError, ValueError, IndexError, TypeError) as error:
                shortened = " ".join((name, *rest))[:SHOWN]
                raise BadInputError("notation/no_event", line=number, text=shortened) from error
    return tuple(events)


def page(log: Iterable[Event]) -> str:
    """The events as text, a turn on a line.

    >>> from station.game.events import BoxScored, HeldSet, Undone
    >>> print(page([HeldSet((2, 4)), BoxScored("sixes"), Undone()]), end="")
    hold 2 4; box sixes
    undo
    """
    lines: list[list[Event]] = []
    for event in log:
        before = lines[-1][-1] if lines else None
        if event.in_turn and before and before.in_turn and not before.ends_line(event):
            lines[-1].append(event)
        else:
            lines.append([event])
    return "".join("; ".join(" ".join(event.words()) for event in line) + "\n" for line in lines)
