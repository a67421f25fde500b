"""The live line to every screen: server-sent events, the latest state only, and a cap.

A viewer gets the full state on connect and after every change. One that is slow (a phone in a pocket)
never gets a backlog, only what is true when it listens again. Between changes a comment and a `beat`
event tell it that the line is alive: scripts cannot see comments, and a phone that changed its Wi-Fi
finds out by the missing beat.
"""

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock

from messages.errors import FailedError
from station.contract.view import TableView, as_json
from station.screens.publisher import Subscription
from station.table.table import Table
from web.core.live_line import LiveLine, event, opening

LOOK_S = 1.0
"""Seconds between two looks at what is not the table's: the room, whether the screen is still there."""
LIVE = "/api/v1/events"
RESERVE = 8
"""Lines beyond the limit, for the host and for screens that have a seat."""
FAIR_EACH = 6
"""Lines that an address may keep while others wait for one."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A screen that wants to listen. seated: it has a seat or a role. gone: whether it hung up meanwhile.

    refused: the commands that are open now, and not for this screen.
    """

    address: str = ""
    seated: bool = False
    gone: Callable[[], bool] = bool
    refused: Callable[[], tuple[str, ...]] = tuple


class Viewers:
    """All screens that listen at the moment."""

    def __init__(
        self,
        table: Table,
        *,
        viewers_max: int,
        heartbeat_s: float,
        pages: str,
        room: Callable[[], tuple[object, object]],
        clock: Callable[[], float],
    ) -> None:
        """Listen to `table` for as many as `viewers_max` screens.

        pages: the version that is served.
        room: number and content of the room's shared state; a new number is sent to all screens.
        clock: seconds, monotonic.
        """
        self._table = table
        self._viewers_max = viewers_max
        self._heartbeat_s = heartbeat_s
        self._pages = pages
        self._room = room
        self._clock = clock
        self._lock = Lock()
        self._places: dict[_Place, None] = {}
        self._closing = Event()
        self._written: dict[str, tuple[TableView, bytes]] = {}

    @property
    def count(self) -> int:
        """How many listen."""
        with self._lock:
            return len(self._places)

    def close(self) -> None:
        """Let every line end within `LOOK_S`; nobody new is taken."""
        self._closing.set()

    def listen(self, language: str, viewer: Viewer | None = None) -> LiveLine:
        """The events for one more screen, in its language.

        When all places are taken, those who have gone give theirs up at once, and an address with many lines
        one of them to an address with fewer. Raises FailedError at once, not at the first event.
        """
        place = _Place(self._table.subscribe(), viewer or Viewer())
        with self._lock:
            ended = self._room_for(place.viewer)
            if self._closing.is_set() or ended is None:
                place.end()
                raise FailedError("events/too_many_viewers", count=len(self._places))
            for each in ended:
                del self._places[each]
            self._places[place] = None
        for each in ended:
            each.end()
        return LiveLine(self._events(place, language), partial(self._leave, place))

    def _room_for(self, viewer: Viewer) -> list["_Place"] | None:
        """The places that others give up so that this one may listen; None when it may not."""
        gone = [each for each in self._places if each.viewer.gone()]
        most = self._viewers_max + (RESERVE if viewer.seated else 0)
        if len(self._places) - len(gone) < most:
            return gone
        count = Counter(each.viewer.address for each in self._places)
        strangers = [each for each in self._places if not each.viewer.seated and each not in gone]
        oldest = max(strangers, key=lambda each: count[each.viewer.address], default=None)
        if oldest is None:
            return None
        many = count[oldest.viewer.address]
        fair = many > max(FAIR_EACH, count[viewer.address] + 1)
        return [*gone, oldest] if fair or viewer.seated else None

    def _state(self, state: TableView, language: str) -> bytes:
        """The event of a state, written once a language for all who listen."""
        known, written = self._written.get(language, (None, b""))
        if known is not state:
            written = event("state", as_json(state, language), state.version)
            self._written[language] = (state, written)
        return written

    def _leave(self, place: "_Place") -> None:
        place.end()
        with self._lock:
            self._places.pop(place, None)

    def _events(self, place: "_Place", language: str) -> Generator[bytes, None, None]:
        state = self._table.snapshot()
        number, room = self._room()
        refused = place.viewer.refused()
        first = event("room", as_json(room)) + event("refused", refused)
        yield opening(self._pages) + first + self._state(state, language)
        sent, last_s = state, self._clock()
        while not (self._closing.is_set() or place.ended or place.viewer.gone()):
            fresh = place.subscription.get(min(LOOK_S, self._heartbeat_s))
            out = b""
            if fresh is not None and fresh != sent:
                out += self._state(fresh, language)
                sent = fresh
            latest, room = self._room()
            if latest != number:
                out += event("room", as_json(room))
                number = latest
            if out and (barred := place.viewer.refused()) != refused:
                out += event("refused", barred)
                refused = barred
            now_s = self._clock()
            if not out and now_s - last_s >= self._heartbeat_s:
                out = b": still here\n\n" + event("beat", {"version": sent.version})
            if out:
                last_s = now_s
                yield out


class _Place:
    """The place of one screen. ended: given up, since another needs it or the screen has gone."""

    def __init__(self, subscription: Subscription[TableView], viewer: Viewer) -> None:
        self.subscription, self.viewer, self.ended = subscription, viewer, False

    def end(self) -> None:
        """Let it end now."""
        self.ended = True
        self.subscription.close()
