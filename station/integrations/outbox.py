"""What one receiver was not told yet. The log of the store is the outbox; here is how far it was read."""

import logging
import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from messages.errors import StoreError
from messages.message import Message
from station.game.evolve import UNPLAYABLE, evolve
from station.game.log.state import State
from station.integrations.happenings import Happening, happenings
from station.store import Store
from station.store.delivery import Written

log = logging.getLogger(__name__)

KEEP_S = 10.0
"""How often, at most, it is written down how far a receiver was told, while all goes well."""
SKIPPED_S = 3600.0
"""How long health reports that a receiver was not told of something."""
BATCH = 20
"""How many events are read at a time."""
LAST = 2**63 - 1
"""No event has a higher number."""


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
    nothing. language: of labels. own: whether the games of the table are kept in this store.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        language: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        own: bool = True,
    ) -> None:
        self._store, self._name, self._language, self._own = store, name, language, own
        kept = store.delivered().get(name)
        self._told = store.last_event() if kept is None else kept
        self._kept = kept
        self._state: State | None = None
        self._opened = store.opened
        self._clock, self._kept_s = clock, clock()
        self._skipped, self._skipped_s = Message("outbox/skipped", first=0, last=0), -math.inf

    def waiting(self) -> Sequence[Step]:
        """The next events, a batch of them; none when all were told. Raises StoreError.

        Where they cannot be played the receiver is told what happens from now on (`skipped`): to try again
        would bring the same, and it would hear of no other game either.
        """
        try:
            return self._steps()
        except StoreError:
            raise
        except UNPLAYABLE:
            first, self._told, self._state = self._told + 1, self._store.last_event(), None
            log.exception("%s is not told of the events %d to %d", self._name, first, self._told)
            self._skipped = Message("outbox/skipped", first=first, last=self._told)
            self._skipped_s = self._clock()
            return ()

    @property
    def skipped(self) -> Message | None:
        """Which events could not be told, where that was lately."""
        return self._skipped if self._clock() - self._skipped_s < SKIPPED_S else None

    def _steps(self) -> Sequence[Step]:
        """The next events with what they came to. Raises StoreError, or one of UNPLAYABLE at the first."""
        state, written = self._read()
        while self._opened != self._store.opened:  # another database, it may be
            self._opened = self._store.opened
            self._told, self._kept, self._state = self._store.told_before(self._name), None, None
            state, written = self._read()
        steps: list[Step] = []
        for each in written:
            try:
                steps.append(self._step(state, each))
            except UNPLAYABLE:
                if not steps:
                    raise
                break  # those before it are told first
            state = steps[-1].after
        return steps

    def _step(self, state: State, each: Written) -> Step:
        """What one event came to in that state."""
        after = evolve(state, each.event)
        told_of = partial(self._store.game_id, until=each.number)
        found = happenings(each.number, each.at, each.event, state, after, told_of, self._language)
        return Step(each.number, found, after)

    def _read(self) -> tuple[State, Sequence[Written]]:
        """The state up to which the receiver was told, and what was written after it."""
        if self._state is None:
            self._state = self._store.state_after(self._told)
        return self._state, self._store.written(self._told, BATCH)

    def game_id(self, game: int) -> str:
        """What tells a game of the table from all others, as it is now; "" for one that is kept elsewhere.

        Also for one that is not stored: once it is it may have another number, and so another id.
        """
        return self._store.game_id(game, LAST) if self._own and self._store.trouble is None else ""

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
        if self._kept == self._told or self._opened != self._store.opened:
            return
        try:
            self._store.note_delivered({self._name: self._told})
        except StoreError as error:  # it would be told twice, by the same number: no harm
            log.warning("how far %s was told is not kept: %s", self._name, error)
        else:
            self._kept = self._told


def forget(store: Store, wanted: Collection[str]) -> None:
    """Forget all receivers but these: what happens from now on does not wait for anybody else."""
    try:
        gone = {name: None for name in store.delivered() if name not in wanted}
        if gone:
            store.note_delivered(gone)
    except StoreError as error:
        log.warning("who is not told any more is not forgotten: %s", error)
