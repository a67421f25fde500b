"""Publishes the table to an MQTT broker: its state, what happens, and whether the station is there."""

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version

from pydantic import TypeAdapter, ValidationError

from messages.errors import FailedError, YachtError
from messages.message import Message
from station.contract.check import Check, Level
from station.contract.command import Button
from station.contract.happening import HappeningKind
from station.contract.pairing import Pairing
from station.contract.view import as_json
from station.extras.mqtt import MqttSettings, home_assistant
from station.extras.mqtt.home_assistant import PRESSES
from station.extras.mqtt.retained import FILE_NAME, RetainedTopics
from station.integrations.broker import Broker, Post, payload_of
from station.integrations.extra import Parts
from station.integrations.happenings import TableEvent
from station.integrations.oddities import Oddities
from station.integrations.worker_thread import RetryingThread

log = logging.getLogger(__name__)

PAUSE_S = 0.1
"""Between two states: dice that roll change it at every frame."""
STEADY_S = 10.0
"""A connection that lasts this long is a good one, and the next try comes soon."""
PRESS_S = 0.2
"""A button pressed from outside is not pressed again so soon."""
LOOK_S = 1.0
"""Between two looks at the connection while nothing happens."""

SENSORS_MAX = 24
"""Number of players with a sensor: those who play here most."""

PAIRING = TypeAdapter(Pairing)


class MqttPublisher(RetryingThread):
    """A thread that tells a broker everything, and presses a button of the table where the settings allow it.

    `check` reports whatever is wrong with the broker; the thread tries on, and the game waits for nothing.
    """

    name = "mqtt"
    retry_s = (2.0, 5.0, 15.0, 30.0)

    def __init__(
        self, settings: MqttSettings, parts: Parts, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(Message("mqtt/connecting", broker=settings.address))
        self._settings, self._parts, self._clock = settings, parts, clock
        self._outbox = parts.outbox(self.name)
        self._retained = RetainedTopics(parts.data / FILE_NAME)
        self._pressed_s, self._odd = -math.inf, Oddities(clock)
        self._version, self._sensors = version("yacht-station"), tuple[str, ...]()

    def check(self) -> Check:
        """Its status, for health."""
        if self.trouble is not None:
            begins = self.trouble.key == "mqtt/connecting"
            return Check("mqtt", Level.INFO if begins else Level.WARNING, self.trouble)
        if (odd := self._odd.check("mqtt")) is not None:
            return odd
        if (skipped := self._outbox.skipped) is not None:
            return Check("mqtt", Level.WARNING, skipped)
        return Check(
            "mqtt", Level.OK, Message("mqtt/good", broker=self._settings.address, topic=self._settings.base)
        )

    # -- inside --------------------------------------------------------------------------------------

    def _try(self) -> None:
        try:
            with self._connected() as broker:
                self._serve(broker)
                if not self._stop.is_set():
                    raise broker.why()
        finally:
            self._outbox.keep()

    @contextmanager
    def _connected(self) -> Iterator[Broker]:
        """A connection on which the station is there, and is away again at the end."""
        away = self._post("availability", b"offline", retained=True)
        broker = Broker(self._settings, f"yacht-{self._settings.station_used}", away)
        try:
            broker.open()
            yield broker
        finally:
            broker.close([away])

    def _serve(self, broker: Broker) -> None:
        """Tell everything, until the connection breaks or the station stops."""
        subscription = self._parts.subscribe()
        late = True  # what has waited for this connection
        since_s = self._clock()
        try:
            self._introduce(broker)
            while broker.is_open and not self._stop.is_set() and subscription.open:
                view = subscription.get(LOOK_S)
                self._tell(broker, late=late)
                late = False
                if view is not None:
                    state = as_json(view, self._parts.language) | {"game_id": self._outbox.game_id(view.game)}
                    broker.publish([self._post("state", payload_of(state), retained=True)])
                    self._stop.wait(PAUSE_S)
                if self.trouble is not None:
                    log.info("mqtt: connected to %s", self._settings.address)
                self.trouble = None
                if self._clock() - since_s > STEADY_S:
                    self._failures = 0
                self._outbox.keep_sometimes()
        finally:
            subscription.close()

    def _introduce(self, broker: Broker) -> None:
        """Say that the station is there, and to Home Assistant what it offers."""
        settings = self._settings
        posts = [self._post("availability", b"online", retained=True)]
        if settings.home_assistant is not None:
            device = home_assistant.device(settings, self._parts.language, self._version)
            posts.insert(0, Post(home_assistant.topic(settings), payload_of(device), retained=True))
        self._leave(broker, [*posts, *self._averages()])
        if settings.control:
            broker.subscribe(self._presses, self._on_press)
        try:
            broker.subscribe(self._pairings, self._paired, kept=True)
        except FailedError as error:  # the user may only write; nobody but a club needs more
            if not broker.is_open:
                raise
            log.info("mqtt: pairings are not brought: %s", error)

    def _averages(self) -> list[Post]:
        """Publish everybody's average, and to Home Assistant the sensors that show it."""
        settings = self._settings
        if not settings.averages:
            return []
        people = self._parts.averages()[:SENSORS_MAX]
        sensors = (
            {}
            if settings.home_assistant is None
            else home_assistant.average_sensors(settings, people, self._parts.language, self._version)
        )
        self._sensors = tuple(sensors)
        posts = [Post(topic, payload_of(sensor), retained=True) for topic, sensor in sensors.items()]
        return [*posts, self._post("averages", payload_of(home_assistant.averages(people)), retained=True)]

    def _leave(self, broker: Broker, posts: Iterable[Post]) -> None:
        """Publish what the broker keeps, and take away what it has of earlier names and players."""
        now = self._topics()
        others = self._retained.others(now)
        self._retained.keep((*now, *others))  # before anything is there to be left
        broker.publish(posts)
        if self._taken_away(broker, others):
            self._retained.keep(now)

    def _topics(self) -> tuple[str, ...]:
        """The topics with retained messages of this station."""
        settings = self._settings
        named = () if settings.home_assistant is None else (home_assistant.topic(settings), *self._sensors)
        allowed = {"picture": settings.picture, "averages": settings.averages}
        kept = ("availability", "state", *(what for what, on in allowed.items() if on))
        return (*named, *(f"{settings.base}/{what}" for what in kept))

    def _taken_away(self, broker: Broker, topics: Sequence[str]) -> bool:
        """Delete retained messages at the broker, by an empty payload (MQTT 5, 3.3.1.3).

        False where the broker does not allow it: tried again at the next connection.
        """
        try:
            for topic in topics:
                broker.publish([Post(topic, b"", retained=True)])
        except FailedError as error:
            if not broker.is_open:
                raise
            log.info("mqtt: what is left under another name stays: %s", error)
            return False
        return True

    @property
    def _presses(self) -> str:
        return f"{self._settings.base}/press"

    def _on_press(self, payload: bytes) -> None:
        """Somebody presses a button of the table, in paho's thread; a flood of it counts as one press."""
        now_s = self._clock()
        name = payload[:20].decode("ascii", errors="replace")
        if name not in PRESSES:
            self._odd.note(Message("mqtt/odd", topic=self._presses, known=PRESSES))
        elif now_s - self._pressed_s > PRESS_S:
            self._pressed_s = now_s
            try:
                self._parts.press(Button(name))
            except YachtError as refusal:
                log.info("mqtt: %s is not pressed: %s", name, refusal)

    @property
    def _pairings(self) -> str:
        return f"{self._settings.base}/pairing"

    def _paired(self, payload: bytes) -> None:
        """A board says who meets here next, in paho's thread; without a word nobody does."""
        try:
            self._parts.pair(PAIRING.validate_json(payload) if payload else None)
        except ValidationError:
            self._odd.note(Message("mqtt/odd-pairing", topic=self._pairings))

    def _tell(self, broker: Broker, *, late: bool) -> None:
        """Everything that waits in the outbox."""
        while not self._stop.is_set() and (steps := self._outbox.waiting()):
            found = [each for step in steps for each in step.events]
            broker.publish(
                self._post(f"event/{each.kind}", payload_of(each.to_json(late=late))) for each in found
            )
            for step in steps:
                self._outbox.delivered(step)
            if any(each.kind in {HappeningKind.GAME_OVER, HappeningKind.UNDO} for each in found) and (
                posts := self._averages()
            ):
                self._leave(broker, posts)
            picture = self._parts.picture() if self._settings.picture and _rolled(found) else None
            if picture is not None:
                broker.publish([self._post("picture", picture, retained=True)])

    def _post(self, what: str, payload: bytes, *, retained: bool = False) -> Post:
        return Post(f"{self._settings.base}/{what}", payload, retained)


def _rolled(found: Iterable[TableEvent]) -> bool:
    return any(each.kind is HappeningKind.ROLL for each in found)
