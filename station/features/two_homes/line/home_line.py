"""One end of the line between two homes: a connection to the broker that is kept, and what comes over it."""

import logging
import queue
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from messages.catalogue import text
from messages.errors import FailedError, YachtError
from messages.message import Message
from station.config import Mqtt
from station.contract.check import Check, Level
from station.features.two_homes.line.home_messages import of_json
from station.features.two_homes.line.home_pictures import HomePictures, Pictures
from station.features.two_homes.line.other_home import OtherHome
from station.integrations.broker import Broker, Post
from station.integrations.oddities import Oddities
from station.integrations.worker_thread import RetryingThread
from station.table.table import Table

log = logging.getLogger(__name__)

KEEPALIVE_S = 4
"""A side that says nothing for one and a half times as long is away, and the game waits."""
LOOK_S = 0.05
WAITING_MAX = 50
"""The most waiting messages; further ones are dropped."""
BYTES_MAX = 4_000_000
ONLINE, OFFLINE = b"online", b"offline"


class HomeLine(RetryingThread):
    """A thread that keeps a connection for the line, and looks at what came in the order in which it came."""

    name = "homes"
    retry_s = (1.0, 2.0, 5.0)

    def __init__(self, mqtt: Mqtt, table: Table, base: str, mine: str, pictures: HomePictures | None) -> None:
        """Listen at the broker. base: what the topics of the game begin with; mine: topic of the own line.

        pictures: of the dice, those of this home that may be sent among them.
        """
        super().__init__(Message("homes/connecting"))
        self._mqtt, self._table, self._base, self._mine = mqtt, table, base, mine
        self._home = OtherHome(table)
        self._pictures = pictures or HomePictures()
        self._beside: deque[Post] = deque(maxlen=WAITING_MAX)
        self._came: queue.Queue[tuple[Callable[[Any], None], bytes]] = queue.Queue(WAITING_MAX)
        self.odd = Oddities()
        self._broker: Broker | None = None

    def check(self) -> Check:
        """The check of the line, for health."""
        if self.trouble is not None:
            return Check("homes", Level.WARNING, self.trouble)
        return self.odd.check("homes") or Check("homes", Level.OK, self._good())

    def _try(self) -> None:
        with self._connected() as broker:
            self._begin(broker)
            self._failures = 0
            while broker.is_open and not self._stop.is_set():
                self._look(broker)
            if not self._stop.is_set():
                raise broker.why()

    @contextmanager
    def _connected(self) -> Iterator[Broker]:
        away = Post(self._mine, OFFLINE, retained=True)
        broker = Broker(self._mqtt, f"yacht-{self._mqtt.station_used}-homes", away, keepalive_s=KEEPALIVE_S)
        try:
            broker.open()
            self._broker = broker
            yield broker
        finally:
            self._broker = None
            broker.close([away])

    def _look(self, broker: Broker) -> None:
        """Take in what came, then say what is new."""
        try:
            hear, payload = self._came.get(timeout=LOOK_S)
        except queue.Empty:
            pass
        else:
            try:
                hear(of_json(payload))
            except FailedError:  # of the broker, whom an answer was for
                raise
            except YachtError as error:
                self._strange(error.message)
            except Exception:
                log.exception("homes: a message is dropped")
                self._strange(Message("homes/odd"))
        self._tell(broker)

    def _tell_beside(self, broker: Broker) -> None:
        """Publish what the game can do without; what is lost when a line breaks is sent again on the next.

        A broker that does not allow a topic costs what was to stand there, and not the game.
        """
        while self._beside:
            try:
                broker.publish([self._beside[0]])
            except FailedError as error:
                if not broker.is_open:
                    raise
                self._strange(error.message)
            self._beside.popleft()

    def _show(self, made: Pictures) -> None:
        """Pictures came; those of a throw that is past are none to show."""
        shown = (made.home, made.throw, len(made.jpegs), made.name)
        self._home.pictured(*shown, lambda: self._pictures.keep(made))

    def _missing(self, home: str, topic: str, *, received: bool) -> Message:
        """Why a home is not there. received: the broker has brought something of it.

        Mosquitto refuses no subscription: who may not read is brought nothing.
        """
        if received or self._mqtt.user is None:
            return Message("homes/away", home=home)
        return Message("homes/silent", home=home, user=self._mqtt.user, topic=topic)

    def _hears(self, hear: Callable[[Any], None], bytes_max: int = BYTES_MAX) -> Callable[[bytes], None]:
        """In paho's thread: put it where the own thread finds it."""

        def came(payload: bytes) -> None:
            if len(payload) > bytes_max:
                self._strange(Message("homes/odd"))
                return
            try:
                self._came.put_nowait((hear, payload))
            except queue.Full:
                self._strange(Message("homes/flood"))

        return came

    def _strange(self, what: Message) -> None:
        if self.odd.note(what):
            log.warning("homes: %s", text(what))

    def _say(self, trouble: Message | None) -> None:
        """Report the line's condition, to health and to everybody at the table."""
        super()._say(trouble)
        self._home.line(None if trouble is None else Message("homes/waits", why=trouble))

    def _begin(self, broker: Broker) -> None:
        raise NotImplementedError

    def _tell(self, broker: Broker) -> None:
        raise NotImplementedError

    def _good(self) -> Message:
        raise NotImplementedError
