"""A game as text: one line for each event, made to be read, written by hand and kept as a transcript.

    start 3 0 yacht-1938 "Ana" "Ben"
    roll 4 6 1 6 2
    hold 2 4
    roll 3 6 3 6 1
    box sixes
    undo

A turn may also stand on one line, its events divided by semicolons; so a whole game fits on a page (`page`).
Where dice lay on the tray is not part of it. After the names may stand house rules, `with "their text"`, who
starts, `first 1` (the seat, from 0), and how that was found out, `by throw`; a die thrown for it is a line
`starter 4`. `play together` says that all play at once; then seats do things with their copies: `copy 1 2 4`
keeps slots 2 and 4, `pick 1 choice`, `ready 1`, `unready 1`. `announce twos` names the box of the turn.
Empty lines and what follows a # do not count.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, takewhile
from typing import Any, assert_never

from messages.errors import BadInputError
from station.contract.fields import HANDICAP_MAX
from station.game.log import events
from station.game.log.events import Event, from_json
from station.game.log.slots import Die
from station.game.players.seats import STRENGTH
from station.game.players.stakes import AMOUNT

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|#.*|;|[^\s;]+')

TURN = (
    events.RollAccepted,
    events.RollKept,
    events.DieCorrected,
    events.HeldSet,
    events.BoxAnnounced,
    events.ChoosingBegun,
    events.BoxScored,
    events.CopyHeld,
    events.BoxChosen,
    events.PlayerReady,
)
"""Events that share a line of a page."""


def write(log: Iterable[Event]) -> str:
    """The events as text, one a line.

    >>> print(write([events.HeldSet((2, 4)), events.BoxScored("sixes"), events.Undone()]), end="")
    hold 2 4
    box sixes
    undo
    """
    return "".join(f"{' '.join(_line(event))}\n" for event in log)


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
                raise BadInputError("notation/no_event", line=number, text=line.strip()) from error
    return tuple(events)


def page(log: Iterable[Event]) -> str:
    """The events as text, a turn on a line.

    >>> print(page([events.HeldSet((2, 4)), events.BoxScored("sixes"), events.Undone()]), end="")
    hold 2 4; box sixes
    undo
    """
    lines: list[list[Event]] = []
    for event in log:
        before = lines[-1][-1] if lines else None
        ended = isinstance(before, events.BoxScored) and not isinstance(event, events.BoxScored)
        round_ends = isinstance(before, events.PlayerReady) and isinstance(event, events.RollAccepted)
        if isinstance(event, TURN) and isinstance(before, TURN) and not ended and not round_ends:
            lines[-1].append(event)
        else:
            lines.append([event])
    return "".join("; ".join(" ".join(_line(event)) for event in line) + "\n" for line in lines)


def _line(event: Event) -> list[str]:
    match event:
        case events.GameStarted():
            names = [_quoted(name) for name in event.players]
            house = ["with", _quoted(event.house)] if event.house else []
            return [
                "start",
                str(event.game),
                str(event.previous),
                event.rules,
                *names,
                *house,
                *_options(event),
            ]
        case events.StarterThrown():
            return ["starter", str(event.face), *(["typed"] if event.typed else [])]
        case events.RollAccepted():
            faces = [str(die.face) for die in event.dice]
            kind = "drawn" if event.drawn else "typed" if event.typed else "roll"
            return ["fair", *event.secrets, *faces] if event.secrets else [kind, *faces]
        case events.BoxCorrected():
            numbers = (str(event.seat), *map(str, event.faces), str(event.throw))
            return ["rescore", event.category, event.to or event.category, *numbers]
        case (
            events.PlayerAdded()
            | events.PlayerRenamed()
            | events.PlayerRemoved()
            | events.PlayerMoved()
            | events.RollKept()
            | events.DieCorrected()
            | events.HeldSet()
            | events.BoxAnnounced()
            | events.ChoosingBegun()
            | events.CopyHeld()
            | events.BoxChosen()
            | events.PlayerReady()
            | events.PlayerUnready()
            | events.BoxScored()
            | events.GameEnded()
            | events.Undone()
        ):
            word, (_, fields) = next(each for each in PLAIN.items() if isinstance(event, each[1][0]))
            return [word, *_words(event, fields)]
        case _:
            assert_never(event)


def _words(event: Event, fields: Iterable[str]) -> Iterator[str]:
    """The fields as words; `_plain` is the way back."""
    for field in fields:
        value = getattr(event, field)
        if field == "slots":
            yield from map(str, value)
        else:
            yield _quoted(value) if field == "name" else str(value)


def _plain(kind: type[Event], fields: Iterable[str], words: list[str]) -> Event:
    """The event with these fields, from as many words; slots come last and are as many as there are."""
    given: dict[str, Any] = {}
    for field in fields:
        if field == "slots":
            given[field], words = _numbers(words), []
        else:
            word, *words = words
            given[field] = _unquoted(word) if field == "name" else word if field == "category" else int(word)
    if words:
        raise ValueError
    return kind(**given)


def _quoted(value: object) -> str:
    """As JSON, letters of all languages as they are."""
    return json.dumps(value, ensure_ascii=False)


def _unquoted(word: str) -> str:
    """What was quoted. Raises ValueError for a word without quotation marks."""
    value = json.loads(word)
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - of the text, as for all other words
    return value


def _options(event: events.GameStarted) -> list[str]:
    """What is not as usual: who starts, how that was found out, and that all play at once."""
    first = ["first", str(event.first)] if event.first else []
    starter = ["by", event.starter] if event.starter else []
    together = ["play", "together"] if event.simultaneous else []
    stakes = ["for", _quoted(" ".join(event.stakes).rstrip())] if event.stakes else []
    computers = ["computers", ",".join(event.computers)] if event.computers else []
    teams = ["teams", _quoted(_quoted(event.teams))] if event.teams else []
    homes = ["homes", _quoted(",".join(event.homes))] if event.homes else []
    ahead = ["handicaps", ",".join(map(str, event.handicaps))] if event.handicaps else []
    trays = ["drawn", ",".join(str(int(each)) for each in event.without_tray)] if event.without_tray else []
    return [*first, *starter, *together, *stakes, *computers, *teams, *homes, *ahead, *trays]


def _numbers(words: list[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in words)


def _dice(words: list[str]) -> tuple[Die, ...]:
    return tuple(Die(slot, face) for slot, face in enumerate(_numbers(words), start=1))


def _start(words: list[str]) -> Event:
    game, previous, rules, *rest = words
    names = list(takewhile(lambda word: word.startswith('"'), rest))
    options = iter(rest[len(names) :])
    given = dict(zip(options, options, strict=True))
    house = _unquoted(given.pop("with", '""'))
    first, starter = int(given.pop("first", "0")), given.pop("by", "")
    stakes, play = _stakes(_unquoted(given.pop("for", '""'))), given.pop("play", "")
    if play not in ("", "together"):
        raise ValueError
    players = tuple(_unquoted(name) for name in names)
    said = given.pop("computers", "")
    computers = tuple(said.split(",")) if said else ()
    teams = json.loads(_unquoted(given.pop("teams", '"[]"')))
    members = tuple(tuple(map(str, each)) for each in teams)
    lives = _unquoted(given.pop("homes", '""'))
    homes = tuple(lives.split(",")) if lives else ()
    ahead = given.pop("handicaps", "")
    handicaps = tuple(map(int, ahead.split(","))) if ahead else ()
    trays = given.pop("drawn", "")
    without_tray = tuple(bool(int(each)) for each in trays.split(",")) if trays else ()
    known = all(STRENGTH.fullmatch(each) for each in computers if each)
    lists = (computers, members, homes, handicaps, without_tray)
    fits = all(len(each) in (0, len(players)) for each in lists)
    fits = fits and all(0 <= each <= HANDICAP_MAX for each in handicaps)
    if given or not known or not fits or not 0 <= first < len(players):
        raise ValueError
    return events.GameStarted(
        int(game),
        int(previous),
        rules,
        players,
        house,
        first=first,
        starter=starter,
        stakes=stakes,
        simultaneous=bool(play),
        computers=computers,
        teams=members,
        homes=homes,
        handicaps=handicaps,
        without_tray=without_tray,
    )


def _stakes(text: str) -> events.Agreed:
    """What is played for: a point, a big general, the sign of the currency."""
    if not text:
        return ()
    point, general, *sign = text.split()
    if not all(AMOUNT.fullmatch(amount) for amount in (point, general)):
        raise ValueError
    return point, general, " ".join(sign)


def _starter(words: list[str]) -> Event:
    face, *typed = words
    if typed not in ([], ["typed"]):
        raise ValueError
    return events.StarterThrown(int(face), typed=bool(typed))


def _rescore(words: list[str]) -> Event:
    category, to, *numbers = words
    seat, *faces, throw = _numbers(numbers)
    return events.BoxCorrected(seat, category, tuple(faces), throw, "" if to == category else to)


PLAIN: Mapping[str, tuple[type[Event], tuple[str, ...]]] = {
    "join": (events.PlayerAdded, ("name",)),
    "rename": (events.PlayerRenamed, ("seat", "name")),
    "remove": (events.PlayerRemoved, ("seat",)),
    "move": (events.PlayerMoved, ("seat", "to")),
    "keep": (events.RollKept, ()),
    "correct": (events.DieCorrected, ("slot", "face")),
    "hold": (events.HeldSet, ("slots",)),
    "announce": (events.BoxAnnounced, ("category",)),
    "choose": (events.ChoosingBegun, ()),
    "copy": (events.CopyHeld, ("seat", "slots")),
    "pick": (events.BoxChosen, ("seat", "category")),
    "ready": (events.PlayerReady, ("seat",)),
    "unready": (events.PlayerUnready, ("seat",)),
    "box": (events.BoxScored, ("category", "slots")),
    "end": (events.GameEnded, ()),
    "undo": (events.Undone, ()),
}
"""First word of a line -> its event, and which of its fields the words that follow are, in this order."""

READERS: Mapping[str, Callable[[list[str]], Event]] = {
    "start": _start,
    "starter": _starter,
    "roll": lambda words: events.RollAccepted(_dice(words)),
    "typed": lambda words: events.RollAccepted(_dice(words), typed=True),
    "drawn": lambda words: events.RollAccepted(_dice(words), typed=True, drawn=True),
    "fair": lambda words: events.RollAccepted(_dice(words[2:]), True, True, (words[0], words[1])),  # noqa: FBT003
    "rescore": _rescore,
    **{word: partial(_plain, *told) for word, told in PLAIN.items()},
}
"""First word of a line -> how the rest becomes an event."""
