"""The connection to an MQTT broker, by paho-mqtt: the only module that knows it.

MQTT 5, because only there a broker says that a topic is not allowed; in 3.1.1 it tells a publisher all is
well. One object is one connection: messages without an acknowledgement are published again on the next one.
"""

import json
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from messages.errors import FailedError, cause
from messages.message import Message
from station.config import Mqtt
from station.store import wall_clock

QOS = 1
ANSWER_S = 10.0
"""Timeout for one response of a broker, seconds."""
KEEPALIVE_S = 30
"""A broker that hears nothing for one and a half times as long tells everybody that the station is away."""

REASONS = {
    "Bad user name or password": "password",
    "Not authorized": "not-allowed",
    "Unsupported protocol version": "version",
    "Session taken over": "lost",
    "Unspecified error": "lost",  # it broke without a word, as where Mosquitto 2.0 lets another one in
}
"""Reasons of MQTT 5 that have a sentence of their own; others are shown as they are."""

OUT_OF_TIME = (9, 10)
"""OpenSSL's codes for a certificate that is not yet, or no longer, valid: X509_V_ERR_CERT_*."""


@dataclass(frozen=True, slots=True)
class Post:
    """Something to publish. retained: the broker keeps it for those who come later."""

    topic: str
    payload: bytes
    retained: bool = False


def payload_of(value: Any) -> bytes:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Letter:
    """Something the broker brought. number: by which it is acknowledged; 0 where nobody waits for that."""

    topic: str
    payload: bytes
    number: int


class Broker:
    """One connection to the broker of the settings. client: its name there. will: published when it breaks.

    session_s: how long the broker keeps what it could not bring, when the connection is gone; what it brings
    then has to be acknowledged (`acknowledge`), or it brings it again.
    Raises FailedError in a sentence, whatever is wrong with the broker. Closed by leaving its `with` block.
    """

    def __init__(
        self,
        settings: Mqtt,
        client: str,
        will: Post | None = None,
        session_s: int = 0,
        keepalive_s: int = KEEPALIVE_S,
    ) -> None:
        self._settings, self._keepalive_s = settings, keepalive_s
        self._changed = threading.Condition()
        self._connected = False
        self._lost: ReasonCode | None = None
        self._acknowledged: dict[int, ReasonCode] = {}
        self._topics: dict[str, int] = {}
        self._subscribed: list[str] = []
        self._subscribing: dict[int, str] = {}
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=session_s > 0,
        )
        self._session_s = session_s
        self.resumed = False
        self._client.connect_timeout = ANSWER_S
        if will is not None:
            self._client.will_set(will.topic, will.payload, QOS, retain=will.retained)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_publish
        self._client.on_subscribe = self._on_subscribe

    def open(self) -> None:
        """Connect, and wait until the broker has accepted."""
        settings = self._settings
        if settings.user is not None:
            self._client.username_pw_set(settings.user, _password(settings.password_file))
        if settings.tls:
            self._client.tls_set_context(_context(settings.ca))
        try:
            self._client.connect(
                settings.host or "",
                settings.port_used,
                self._keepalive_s,
                clean_start=self._session_s == 0,
                properties=_session(self._session_s),
            )
        except ssl.SSLCertVerificationError as error:
            what = "clock" if error.verify_code in OUT_OF_TIME else "certificate"
            raise self._failed(
                what, why=error.verify_message, now=f"{wall_clock():%Y-%m-%d %H:%M}"
            ) from error
        except (OSError, ValueError) as error:
            raise self._failed("unreachable", why=cause(error)) from error
        self._client.loop_start()
        with self._changed:
            self._changed.wait_for(lambda: self._connected or self._lost is not None, ANSWER_S)
            if not self._connected:
                raise self.why()

    def subscribe(self, topic: str, hear: Callable[[bytes], None], *, kept: bool = False) -> None:
        """Call `hear` with what is published there from now on, in a thread of its own.

        kept: also with what the broker has kept, and again rather than never.
        """

        def on_message(_client: Client, _data: Any, message: MQTTMessage) -> None:
            if kept or not message.retain:  # else something old
                hear(bytes(message.payload))

        self._subscribed.append(topic)
        self._client.message_callback_add(topic, on_message)
        _, mid = self._client.subscribe(topic, QOS if kept else 0)
        self._acknowledged_all({mid or 0: topic})

    def follow(self, topics: Mapping[str, int], hear: Callable[[Letter], None]) -> None:
        """Call `hear` in paho's thread with all that comes at these topics, topic -> quality of service.

        Called before `open`, for what the broker kept comes at once; the topics are requested by `ask_for`.
        """

        def on_message(_client: Client, _data: Any, message: MQTTMessage) -> None:
            hear(Letter(message.topic, bytes(message.payload), message.mid if message.qos else 0))

        self._topics = dict(topics)
        self._client.on_message = on_message

    def ask_for(self) -> None:
        """Request the topics of `follow`; `allowed` says whether the broker allows them."""
        for topic, quality in self._topics.items():
            _, mid = self._client.subscribe(topic, quality)
            self._subscribing[mid or 0] = topic

    def allowed(self) -> None:
        """Raises FailedError where the broker does not allow a topic that was requested."""
        with self._changed:
            answered = [
                (self._subscribing.pop(mid), self._acknowledged.pop(mid))
                for mid in set(self._subscribing) & set(self._acknowledged)
            ]
        for topic, reason in answered:
            if reason.is_failure:
                raise self._failed("subscribe", topic=topic, why=str(reason))

    def acknowledge(self, letters: Iterable[Letter]) -> None:
        """These need not come again."""
        for each in letters:
            if each.number:
                self._client.ack(each.number, QOS)

    def publish(self, posts: Iterable[Post]) -> None:
        """Publish in this order, and wait until the broker has all of it."""
        waiting: dict[int, str] = {}
        for post in posts:
            info = self._client.publish(post.topic, post.payload, QOS, retain=post.retained)
            if info.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
                raise self.why()
            waiting[info.mid] = post.topic
        self._acknowledged_all(waiting)

    def _acknowledged_all(self, waiting: Mapping[int, str]) -> None:
        """Wait until the broker has acknowledged these, message -> topic. Raises FailedError."""
        with self._changed:
            come = self._changed.wait_for(
                lambda: waiting.keys() <= self._acknowledged.keys() or not self.is_open, ANSWER_S
            )
            answers = {mid: self._acknowledged.pop(mid, None) for mid in waiting}
        for mid, reason in answers.items():
            if reason is not None and reason.is_failure:
                raise self._failed("topic", topic=waiting[mid], why=str(reason))
        if not come or None in answers.values():
            raise self.why()

    @property
    def is_open(self) -> bool:
        """Whether it stands."""
        return self._connected and self._lost is None

    def close(self, posts: Iterable[Post] = ()) -> None:
        """Publish these last messages, if connected, and disconnect; the will is not published then."""
        for post in posts:
            if self.is_open:
                self._client.publish(post.topic, post.payload, QOS, retain=post.retained)
        self._client.disconnect()
        self._client.loop_stop()
        # Client and broker hold each other by these. Left to the garbage collector, paho's own sockets may be
        # found before the client that would close them, and Python tells of it.
        self._client.on_connect = self._client.on_disconnect = None
        self._client.on_publish = self._client.on_subscribe = self._client.on_message = None
        for topic in self._subscribed:
            self._client.message_callback_remove(topic)

    def why(self) -> FailedError:
        """Why there is no connection (any more)."""
        if self._lost is None:
            return self._failed("silent")
        name = self._lost.getName()
        return self._failed(REASONS.get(name, "refused"), why=name)

    def _failed(self, what: str, **values: str) -> FailedError:
        settings = self._settings
        user = settings.user or "-"
        values = {"topic": settings.base, "why": "", **values}
        return FailedError(
            Message(f"mqtt/{what}", broker=settings.address, user=user, **values),
            code=f"mqtt/{what.replace('-', '_')}",
        )

    # -- called in paho's thread ---------------------------------------------------------------------

    def _on_connect(
        self, _client: Client, _data: Any, flags: ConnectFlags, reason: ReasonCode, _more: Properties | None
    ) -> None:
        with self._changed:
            if reason.is_failure:
                self._lost = reason
            else:
                self._connected = True
                self.resumed = flags.session_present
            self._changed.notify_all()

    def _on_disconnect(
        self,
        _client: Client,
        _data: Any,
        _flags: DisconnectFlags,
        reason: ReasonCode,
        _more: Properties | None,
    ) -> None:
        with self._changed:
            self._lost = self._lost or reason
            self._changed.notify_all()

    def _on_publish(
        self, _client: Client, _data: Any, mid: int, reason: ReasonCode, _more: Properties | None
    ) -> None:
        with self._changed:
            self._acknowledged[mid] = reason
            self._changed.notify_all()

    def _on_subscribe(
        self, client: Client, data: Any, mid: int, reasons: Sequence[ReasonCode], more: Properties | None
    ) -> None:
        self._on_publish(client, data, mid, reasons[0], more)


def _session(seconds: int) -> Properties | None:
    """The lifetime of our session at the broker."""
    if not seconds:
        return None
    kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    kept.SessionExpiryInterval = seconds
    return kept


def _password(path: Path | None) -> str | None:
    """The content of the file, without the line end. Raises FailedError."""
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise FailedError(
            "mqtt/password-file", code="mqtt/settings", path=str(path), why=cause(error)
        ) from error


class _Socket(ssl.SSLSocket):
    """Closes itself when the two do not agree; paho would leave it to the garbage collector."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as its base has it
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _context(ca: Path | None) -> ssl.SSLContext:
    """TLS that checks the broker's certificate and name. Raises FailedError."""
    try:
        context = ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ValueError) as error:
        raise FailedError("mqtt/ca-file", code="mqtt/settings", path=str(ca), why=cause(error)) from error
    context.sslsocket_class = _Socket
    return context
