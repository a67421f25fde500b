"""Players who are renamed when the standing events change."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from station.game.events import Event, PlayerRenamed
from station.game.evolve import evolve, of_last_game, replay


@dataclass(frozen=True, slots=True)
class Renamed:
    """Somebody has another name. back: the name they had before, as a rename was taken back."""

    old: str
    new: str
    back: bool = False


def renames(before: Sequence[Event], after: Sequence[Event]) -> tuple[Renamed, ...]:
    """The renamed players, in order: names that were taken back, the latest first, then the new ones.

    Nobody where another game stands there, of which nothing is known: its seats may be other people's.

    >>> from station.game.events import PlayerAdded
    >>> begun, named = PlayerAdded("Ana"), PlayerRenamed(0, "Anna")
    >>> renames((begun,), (begun, named))
    (Renamed(old='Ana', new='Anna', back=False),)
    >>> renames((begun, named), (begun,))
    (Renamed(old='Anna', new='Ana', back=True),)
    """
    same = sum(1 for _ in takewhile(_alike, zip(before, after, strict=False)))
    begins = len(before) - len(of_last_game(before))
    if same > begins or same == len(after) > 0:
        taken_back = (Renamed(each.new, each.old, back=True) for each in reversed(_given(before, same)))
        return (*taken_back, *_given(after, same))
    return ()


def _alike(pair: tuple[Event, Event]) -> bool:
    return pair[0] is pair[1] or pair[0] == pair[1]


def _given(past: Sequence[Event], first: int) -> Sequence[Renamed]:
    """The renames by events from index `first` on."""
    found: list[Renamed] = []
    if any(isinstance(event, PlayerRenamed) for event in past[first:]):
        state = replay(past[:first])
        for event in past[first:]:
            if isinstance(event, PlayerRenamed):
                found.append(Renamed(state.players[event.seat].name, event.name))
            state = evolve(state, event)
    return found
