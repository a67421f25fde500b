"""Luck and skill of a game that was played: the archive's events as turns, for station.strategy.review."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from messages.errors import BadInputError, RefusalError
from station.game.events import BoxCorrected, BoxScored, DieCorrected, Event, RollAccepted
from station.game.state import State, evolve, replay
from station.strategy.review import Review, Thrown, Turn, review
from station.strategy.solver import Solution


@dataclass(slots=True)
class _Open:
    """The turn that is being played: faces by slot after each throw, slots held before the next one."""

    throws: list[dict[int, int]] = field(default_factory=list)
    held: list[tuple[int, ...]] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)

    def closed(self) -> Turn:
        """The finished turn as a value."""
        thrown = []
        for number, faces in enumerate(self.throws):
            last = number == len(self.throws) - 1
            kept = None if last else tuple(sorted(faces[slot] for slot in self.held[number]))
            thrown.append(Thrown(tuple(sorted(faces.values())), kept))
        return Turn(tuple(thrown), tuple(self.categories))


def turns(events: Sequence[Event]) -> tuple[tuple[Turn, ...], ...]:
    """The turns of every seat, in order, without what was undone.

    A box that was corrected later ends its turn with the dice and the box it should have had.
    """
    standing = replay(events).past
    state = State()
    played: dict[int, list[Turn]] = {}
    now = _Open()
    for event in standing:
        seat = state.active
        match event:
            case RollAccepted():
                if now.throws:
                    now.held.append(state.held)
                now.throws.append({die.slot: die.face for die in event.dice})
            case DieCorrected() if now.throws:
                now.throws[-1][event.slot] = event.face
            case BoxScored():
                now.categories.append(event.category)
            case BoxCorrected():
                _set_right(played.get(event.seat, []), event)
            case _:
                pass
        state = evolve(state, event)
        if isinstance(event, BoxScored) and state.boxes_this_turn == 0:
            played.setdefault(seat, []).append(now.closed())
            now = _Open()
    return tuple(tuple(played.get(seat, [])) for seat in range(len(state.players)))


def _set_right(played: list[Turn], event: BoxCorrected) -> None:
    for number, turn in enumerate(played):
        if event.category in turn.categories:
            boxes = tuple(event.to or each if each == event.category else each for each in turn.categories)
            last = Thrown(event.faces) if len(turn.categories) == 1 else turn.throws[-1]
            played[number] = Turn((*turn.throws[:-1], last), boxes)


def reviews(solution: Solution, events: Sequence[Event]) -> tuple[Review | None, ...]:
    """Luck and skill of every seat; None where a player's turns cannot be followed."""
    return tuple(_review(solution, each) for each in turns(events))


def _review(solution: Solution, played: Sequence[Turn]) -> Review | None:
    try:
        return review(solution, played) if played else None
    except (BadInputError, RefusalError):
        return None
