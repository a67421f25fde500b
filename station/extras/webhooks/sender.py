"""Tells what happens to addresses the owner wrote down: signed webhooks, chats, and presets of WLED lamps.

The form of a webhook is that of https://www.standardwebhooks.com: an id by which a receiver knows what it has
seen, a time, and HMAC-SHA256 over both and the body.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from messages.errors import FailedError, cause
from messages.message import Message
from station.contract.check import Check, Level
from station.extras.webhooks import Webhook, Wled
from station.integrations.extra import Parts
from station.integrations.happenings import TableEvent
from station.integrations.worker_thread import RetryingThread

ANSWER_S = 10.0
"""Timeout for one response of a receiver, seconds."""
LOOK_S = 1.0
CLOCKS_APART = timedelta(minutes=5)
"""A receiver of Standard Webhooks takes no signature that is older, or from later."""
SECRET_PREFIX = "whsec_"  # noqa: S105 - begins a secret that is written in base64


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a path at the receiver's address."""

    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Destination:
    """A receiver of events. name: from the settings; url: its address.

    request: what it is sent of a happening, which may be late; None for what it does not want to know. Raises
    FailedError.
    """

    name: str
    url: str
    request: Callable[[TableEvent, bool], Request | None]


def now() -> datetime:
    """The time of day, UTC."""
    return datetime.now(UTC)


def as_json(
    content: Mapping[str, Any],
    *,
    path: str = "",
    method: str = "POST",
    headers: Mapping[str, str] | None = None,
) -> Request:
    """A request with this content as JSON."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Request(path, body, {"Content-Type": "application/json", **(headers or {})}, method)


def number(station: str, happening: TableEvent) -> str:
    """The same whenever the same event is sent, and of no other; a box may change two."""
    whose = (happening.values.get("player", 0), happening.values.get("category"))
    which = "-".join(str(each) for each in (happening.event, happening.kind, *whose) if each is not None)
    return f"{station}-{which}"


def webhook(settings: Webhook, station: str) -> Destination:
    """An address that gets signed requests."""

    def request(happening: TableEvent, late: bool) -> Request | None:  # noqa: FBT001 - as above
        if happening.kind not in settings.events:
            return None
        made = as_json({"station": station, **happening.to_json(late=late)})
        which, at = number(station, happening), str(int(now().timestamp()))
        signed = {
            "webhook-id": which,
            "webhook-timestamp": at,
            "webhook-signature": signature(secret(settings.secret_file), which, at, made.body),
        }
        return replace(made, headers={**made.headers, **signed})

    return Destination(settings.name, settings.url, request)


def wled(settings: Wled) -> Destination:
    """A WLED lamp: shows a preset when something happens; what is over is not shown any more."""

    def request(happening: TableEvent, late: bool) -> Request | None:  # noqa: FBT001 - as above
        preset = settings.presets.get(happening.kind)
        if preset is None or late:
            return None
        return as_json({"on": True, "ps": preset}, path="/json/state")

    return Destination(settings.name, settings.url, request)


def signature(key: bytes, number: str, at: str, body: bytes) -> str:
    """The signature by Standard Webhooks.

    >>> signature(b"secret", "kitchen-41-box-0-ones", "1767700000", b"{}")[:3]
    'v1,'
    """
    mac = hmac.new(key, f"{number}.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(mac).decode()


def secret(path: Path) -> bytes:
    """The key in the file: base64 behind `whsec_`, else the text as it is. Raises FailedError."""
    try:
        text = path.read_text(encoding="utf-8").strip()
        if text.startswith(SECRET_PREFIX):
            return base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except (OSError, UnicodeDecodeError, binascii.Error) as error:
        raise FailedError("webhook/secret-file", path=str(path), why=cause(error)) from error
    if not text:
        raise FailedError("webhook/secret-file", path=str(path), why="0 B")
    return text.encode()


def send(receiver: Destination, request: Request) -> None:
    """Send it; an answer that leads elsewhere is not followed and is a failure. Raises FailedError."""
    parts = urlsplit(receiver.url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=ANSWER_S)
    path = f"{parts.path.rstrip('/')}{request.path}" if request.path else parts.path or "/"
    try:
        connection.request(
            request.method, f"{path}?{parts.query}" if parts.query else path, request.body, request.headers
        )
        answer = connection.getresponse()
    except ssl.SSLCertVerificationError as error:
        raise FailedError("webhook/unreachable", name=receiver.name, why=error.verify_message) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FailedError("webhook/unreachable", name=receiver.name, why=cause(error)) from error
    finally:
        connection.close()
    if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
        raise _refused(receiver, answer)


def _refused(receiver: Destination, answer: http.client.HTTPResponse) -> FailedError:
    """Why it is not taken: first that its signature is from another time, whatever else may be wrong."""
    values = {"name": receiver.name, "why": str(answer.status)}
    theirs, ours = _date(answer.headers.get("Date", "")), now()
    if theirs is None or abs(theirs - ours) < CLOCKS_APART:
        return FailedError("webhook/refused", **values)
    times = {"theirs": f"{theirs:%Y-%m-%d %H:%M}", "ours": f"{ours:%Y-%m-%d %H:%M}"}
    return FailedError("webhook/clock", **values, **times)


def _date(header: str) -> datetime | None:
    """The time an answer carries, in UTC; None for none.

    >>> _date("Tue, 06 Jan 2026 19:30:00 GMT").isoformat(), _date("noon")
    ('2026-01-06T19:30:00+00:00', None)
    """
    try:
        return parsedate_to_datetime(header).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


class Sender(RetryingThread):
    """A thread that tells one receiver what waits for it, in order, and tries again until it has it."""

    retry_s = (2.0, 10.0, 60.0, 300.0)

    def __init__(self, receiver: Destination, name: str, parts: Parts) -> None:
        """name: under which the last delivered event is remembered."""
        self.name = f"tell-{receiver.name}"
        super().__init__()
        self._receiver, self._outbox, self._subscribe = receiver, parts.outbox(name), parts.subscribe
        self._late = True
        """Whether what waits has waited already: for the station to start, or for the receiver."""

    @property
    def skipped(self) -> Message | None:
        """The events that recently could not be delivered."""
        return self._outbox.skipped

    def _try(self) -> None:
        self._late = True
        with closing(self._subscribe()) as news:
            try:
                while not self._stop.is_set():
                    self._tell()
                    self._late, self._failures, self.trouble = False, 0, None
                    news.get(LOOK_S)
                    self._outbox.keep_sometimes()
            finally:
                self._outbox.keep()

    def _tell(self) -> None:
        """Everything that waits. Raises FailedError for what the receiver does not take."""
        while not self._stop.is_set() and (steps := self._outbox.waiting()):
            for step in steps:
                for happening in step.events:
                    request = self._receiver.request(happening, self._late)
                    if request is not None:
                        send(self._receiver, request)
                self._outbox.delivered(step)
                if self._stop.is_set():
                    return


class Webhooks:
    """All receivers, each with a thread of its own: a slow one keeps no other waiting."""

    name = "webhooks"

    def __init__(self, senders: Sequence[Sender]) -> None:
        self._senders = tuple(senders)

    def start(self) -> None:
        """Begin."""
        for sender in self._senders:
            sender.start()

    def wrong(self) -> Message | None:
        """Whether a thread ended."""
        return next((found for each in self._senders if (found := each.wrong())), None)

    def restart(self) -> None:
        """Restart the senders that ended, in new threads."""
        for sender in self._senders:
            if sender.ended:
                sender.restart()

    def ask_to_stop(self) -> None:
        """Tell no more."""
        for sender in self._senders:
            sender.ask_to_stop()

    def stop(self, timeout_s: float) -> None:
        """Wait for it, all together at most that long."""
        self.ask_to_stop()
        for sender in self._senders:
            sender.stop(timeout_s / len(self._senders))

    def check(self) -> Check:
        """Its status, for health: the first failed delivery."""
        troubles = [*(each.trouble for each in self._senders), *(each.skipped for each in self._senders)]
        trouble = next((each for each in troubles if each is not None), None)
        if trouble is not None:
            return Check("webhooks", Level.WARNING, trouble)
        return Check("webhooks", Level.OK, Message("webhook/good", count=len(self._senders)))
