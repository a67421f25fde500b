"""What one receiver was not told yet. The log of the store is the outbox; here is how far it was read."""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from messages.errors import StoreError
from station.game.log.evolve import evolve
from station.game.log.state import State
from station.integrations.happenings import Happening, happenings
from station.store.delivery import Written

log = logging.getLogger(__name__)

KEEP_S = 10.0
"""How far a receiver was told is written down so often, at most, while all goes well."""
BATCH = 20
"""So many events are read at a time."""
LAST = 2**63 - 1
"""No event has a higher number."""


class Events(Protocol):
    """The log, for those who tell others of it; `station.store` is the real one."""

    opened: int

    def written(self, after: int, limit: int) -> tuple[Written, ...]:
        """The events behind number `after`, at most `limit`."""

    def state_after(self, number: int) -> State:
        """How things stood after that event."""

    def game_id(self, game: int, until: int) -> str:
        """What tells a game from all others, after event `until`."""

    def last_event(self) -> int:
        """The number of the last event."""

    def delivered(self) -> Mapping[str, int]:
        """The last event that each receiver was told of."""

    def told_before(self, name: str) -> int:
        """The last event a receiver is not told of since another database came into use."""

    def note_delivered(self, told: Mapping[str, int | None]) -> None:
        """Keep how far receivers were told."""


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the log with what it came to, which may be nothing worth telling."""

    number: int
    happenings: tuple[Happening, ...]
    after: State


class Outbox:
    """What waits for one receiver, in order; used by one thread.

    A receiver that is new is told what happens from now on. How far it was told is kept only now and then
    (`keep`): after a power cut it may be told again what it knows already, by the same numbers, and misses
    nothing. language: of labels.
    """

    def __init__(
        self, events: Events, name: str, language: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._events, self._name, self._language = events, name, language
        kept = events.delivered().get(name)
        self._told = events.last_event() if kept is None else kept
        self._kept = kept
        self._state: State | None = None
        self._opened = events.opened
        self._clock, self._kept_s = clock, clock()

    def waiting(self) -> Sequence[Step]:
        """The next events, a batch of them; none when all were told. Raises StoreError."""
        state, written = self._read()
        while self._opened != self._events.opened:  # another database, it may be
            self._opened = self._events.opened
            self._told, self._kept, self._state = self._events.told_before(self._name), None, None
            state, written = self._read()
        steps = []
        for each in written:
            after = evolve(state, each.event)
            told_of = partial(self._events.game_id, until=each.number)
            found = happenings(each.number, each.at, each.event, state, after, told_of, self._language)
            steps.append(Step(each.number, found, after))
            state = after
        return steps

    def _read(self) -> tuple[State, Sequence[Written]]:
        """The state up to which the receiver was told, and what was written after it."""
        if self._state is None:
            self._state = self._events.state_after(self._told)
        return self._state, self._events.written(self._told, BATCH)

    def game_id(self, game: int) -> str:
        """What tells a game from all others, as it is now."""
        return self._events.game_id(game, LAST)

    def told(self, step: Step) -> None:
        """The receiver has it."""
        self._told, self._state = step.number, step.after

    def keep_sometimes(self) -> None:
        """The same as `keep`, where that was not done lately."""
        if self._clock() - self._kept_s > KEEP_S:
            self.keep()

    def keep(self) -> None:
        """Write down how far the receiver was told, if that is not written yet."""
        self._kept_s = self._clock()
        if self._kept == self._told or self._opened != self._events.opened:
            return
        try:
            self._events.note_delivered({self._name: self._told})
        except StoreError as error:  # it would be told twice, by the same number: no harm
            log.warning("how far %s was told is not kept: %s", self._name, error)
        else:
            self._kept = self._told


def forget(events: Events, wanted: Collection[str]) -> None:
    """Forget all receivers but these: what happens from now on does not wait for anybody else."""
    try:
        gone = {name: None for name in events.delivered() if name not in wanted}
        if gone:
            events.note_delivered(gone)
    except StoreError as error:
        log.warning("who is not told any more is not forgotten: %s", error)
