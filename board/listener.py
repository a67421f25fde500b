"""Follows all tables at the broker: hands what comes to the hall, and acknowledges it when it is kept.

Sends each table its next game, once, which the broker keeps for it.

The broker keeps for a week what it could not bring: a board that was killed gets everything when it is
back, and what it had not acknowledged once more. States come without such care (quality of service 0): only
the latest matters, and the broker keeps that of each table.
"""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from board.next_games import PAIRING, TOPIC, news
from board.table_messages import TOPICS, VERSION
from messages.errors import FailedError, YachtError
from messages.message import Message
from station.config import Mqtt
from station.contract.check import Check, Level
from station.contract.pairing import Pairing
from station.integrations.broker import Broker, Letter, Post
from station.integrations.worker_thread import RetryingThread

log = logging.getLogger(__name__)

SESSION_S = 7 * 24 * 3600
"""Seconds for which the broker stores messages that the board missed."""
BATCH = 200
"""Messages that are kept in one transaction, at most."""
WAITING_MAX = 2000
"""Beyond this the broker has to wait with what follows."""
BUSY_EACH_S = 500.0
"""A flood of this many messages a second is reported by health."""
LOOK_S = 0.5
WINDOW_S = 2.0
EVENTS = "event/"


class Listener(RetryingThread):
    """A thread that listens. hear: takes messages, and has kept them when it returns; raises YachtError.

    next_games: who meets at each table next, as far as that is known.
    """

    name = "board-mqtt"
    retry_s = (1.0, 2.0, 5.0, 15.0)

    def __init__(
        self,
        settings: Mqtt,
        receive: Callable[[Iterable[tuple[str, bytes]]], None],
        note: Callable[[Message], object],
        next_games: Callable[[str], Mapping[str, Pairing]] = lambda _: {},
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(Message("mqtt/connecting", broker=settings.address))
        self._settings, self._receive, self._note, self._clock = settings, receive, note, clock
        self._next_games = next_games
        self._waiting: queue.Queue[Letter] = queue.Queue(WAITING_MAX)
        self._rates: deque[tuple[float, int]] = deque(maxlen=200)
        self._been_there = False
        self._received = False

    def checks(self) -> tuple[Check, ...]:
        """The checks of the broker, for health."""
        if self.trouble is not None:
            begins = self.trouble.key == "mqtt/connecting"
            return (Check("mqtt", Level.INFO if begins else Level.WARNING, self.trouble),)
        topic = self._filter("")
        if self._received:
            checks = [
                Check("mqtt", Level.OK, Message("board/listens", broker=self._settings.address, topic=topic))
            ]
        else:  # Mosquitto refuses no subscription; who may not read is brought nothing
            user = self._settings.user or "-"
            silent = Message("board/silent", broker=self._settings.address, topic=topic, user=user)
            checks = [Check("mqtt", Level.INFO, silent)]
        rate = self.rate
        if rate > BUSY_EACH_S:
            busy = Message("board/odd/busy", count=round(rate), waiting=self._waiting.qsize())
            checks.append(Check("board-messages", Level.WARNING, busy))
        return tuple(checks)

    @property
    def rate(self) -> float:
        """Messages a second, recently."""
        now_s = self._clock()
        return sum(count for then_s, count in list(self._rates) if now_s - then_s < WINDOW_S) / WINDOW_S

    def _filter(self, what: str) -> str:
        """The topic filter for stations of any version: a newer one is reported, not overlooked."""
        return f"{self._settings.topic}/+/+/{what or '#'}"

    def _try(self) -> None:
        began_s = self._clock()
        try:
            self._follow()
        except YachtError:
            raise
        except Exception:  # the thread must not end: the evening goes on
            log.exception("board: unforeseen")
            self.trouble = Message("station/error")
        finally:
            if self._clock() - began_s > self.retry_s[-1]:
                self._failures = 0

    def _follow(self) -> None:
        """One connection, until it breaks."""
        waiting: queue.Queue[Letter] = queue.Queue(WAITING_MAX)
        self._waiting = waiting
        over = threading.Event()

        def receive(letter: Letter) -> None:
            while not over.is_set():  # a full queue holds paho's thread, and by that the broker
                with suppress(queue.Full):
                    waiting.put(letter, timeout=LOOK_S)
                    return

        broker = Broker(self._settings, f"yacht-board-{self._settings.station_used}", session_s=SESSION_S)
        topics = {self._filter(each): int(each.startswith(EVENTS)) for each in (*TOPICS, TOPIC)}
        there: dict[str, bytes] = {}
        sent: dict[str, Pairing | None] = {}
        broker.follow(topics, receive)
        try:
            broker.open()
            broker.ask_for()
            if self._been_there and not broker.resumed:
                self._note(Message("board/odd/forgotten", broker=self._settings.address))
            self._been_there = True
            self.trouble = None
            log.info("board: listening at %s", self._settings.address)
            while broker.is_open and not self._stop.is_set():
                broker.allowed()
                self._take(broker, waiting, there)
                self._send(broker, there, sent)
            if not self._stop.is_set():
                raise broker.why()
        finally:
            over.set()
            broker.close()

    def _send(self, broker: Broker, there: dict[str, bytes], sent: dict[str, Pairing | None]) -> None:
        """Publish the next games of tables. there: what the broker retains; sent: what was published already.

        Nothing is sent twice over one connection: it may be refused, or another board may send its own.
        """
        board = self._settings.station_used
        for table, pairing in news(self._next_games(board), there, board).items():
            if table in sent and sent[table] == pairing:
                continue
            sent[table] = pairing
            payload = b"" if pairing is None else PAIRING.dump_json(pairing)
            topic = f"{self._settings.topic}/{VERSION}/{table}/{TOPIC}"
            try:
                broker.publish([Post(topic, payload, retained=True)])
                there[table] = payload
            except FailedError as error:
                if not broker.is_open:
                    raise
                self._note(Message("board/odd/not_sent", topic=topic, why=error.message))

    def _take(self, broker: Broker, waiting: "queue.Queue[Letter]", there: dict[str, bytes]) -> None:
        """Process a batch of waiting messages. there: the pairings that the broker retains, by table."""
        try:
            batch = [waiting.get(timeout=LOOK_S)]
        except queue.Empty:
            return
        with suppress(queue.Empty):
            while len(batch) < BATCH:
                batch.append(waiting.get_nowait())
        for each in batch:
            *_, table, what = each.topic.split("/")
            if what == TOPIC:
                there[table] = each.payload
        self._receive([(each.topic, each.payload) for each in batch if not each.topic.endswith(f"/{TOPIC}")])
        broker.acknowledge(batch)
        self._received = True
        self._rates.append((self._clock(), len(batch)))
