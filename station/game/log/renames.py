"""Who is called otherwise once other events stand than before."""

from collections.abc import Sequence
from itertools import takewhile

from station.game.log.events import Event, PlayerRenamed
from station.game.log.evolve import evolve, of_last_game, replay


def renames(before: Sequence[Event], after: Sequence[Event]) -> tuple[tuple[str, str], ...]:
    """Old name and new one, in order: names that were taken back, the latest first, then those that came.

    Nobody where another game stands there, of which nothing is known: its seats may be other people's.

    >>> from station.game.log.events import PlayerAdded
    >>> begun, named = PlayerAdded("Ana"), PlayerRenamed(0, "Anna")
    >>> renames((begun,), (begun, named)), renames((begun, named), (begun,))
    ((('Ana', 'Anna'),), (('Anna', 'Ana'),))
    """
    same = sum(1 for _ in takewhile(_alike, zip(before, after, strict=False)))
    begins = len(before) - len(of_last_game(before))
    if same > begins or same == len(after) > 0:
        return (*((new, old) for old, new in reversed(_given(before, same))), *_given(after, same))
    return ()


def _alike(pair: tuple[Event, Event]) -> bool:
    return pair[0] is pair[1] or pair[0] == pair[1]


def _given(past: Sequence[Event], first: int) -> Sequence[tuple[str, str]]:
    """Old name and new one of each event that renames, from that one on."""
    found: list[tuple[str, str]] = []
    if any(isinstance(event, PlayerRenamed) for event in past[first:]):
        state = replay(past[:first])
        for event in past[first:]:
            if isinstance(event, PlayerRenamed):
                found.append((state.players[event.seat].name, event.name))
            state = evolve(state, event)
    return found
