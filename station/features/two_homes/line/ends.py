"""The line between two homes that play one game: the messages of the stations over the broker.

The host publishes the events that stand, with the number of the last one, and the broker retains them: a
station that joins late or reconnects has the whole game from one message, and messages that come twice, late
or in another order change nothing. The guest requests that its events are written after a given number; the
host does so once, and only if nothing else has happened since. Contract of the topics: docs/two-homes.md.
"""

import secrets
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from messages.catalogue import text
from messages.errors import BadInputError, RefusalError, StoreError, YachtError
from messages.message import Message
from station.config import Mqtt
from station.contract.fields import TEXT_MAX
from station.features.two_homes.feature import PlayerPart
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import Question
from station.features.two_homes.line import dice_line
from station.features.two_homes.line.fair_line import GuestThrows, HostThrows
from station.features.two_homes.line.home_line import ONLINE, HomeLine
from station.features.two_homes.line.home_messages import (
    ANSWER,
    LOG,
    REQUEST,
    GuestRequest,
    HostResponse,
    of_json,
    read,
)
from station.features.two_homes.line.home_pictures import HomePictures
from station.features.two_homes.line.mirror import MirrorLog
from station.game.events import KINDS, Event, Undone, from_json
from station.game.evolve import UNPLAYABLE
from station.integrations.broker import Broker, Post, payload_of
from station.store.event_log import MemoryLog
from station.table.exercise import exercise
from station.table.table import Table

ANSWER_S = 6.0
"""Timeout of a request to the host, seconds."""


class HostLine(HomeLine):
    """The side that keeps the game."""

    def __init__(
        self,
        mqtt: Mqtt,
        table: Table,
        guests: Iterable[str],
        key_file: Path | None = None,
        pictures: HomePictures | None = None,
    ) -> None:
        """key_file: of which the own secrets of drawn throws are made."""
        base = f"{mqtt.base}/homes"
        super().__init__(mqtt, table, base, f"{base}/line", pictures)
        self._guests = tuple(guests)
        self._started = secrets.token_hex(8)
        self._throws, self._logs = HostThrows(table, key_file), table.logs
        self._there: dict[str, bool] = {}
        self._sent: tuple[int, Sequence[Event]] | None = None
        self._questions: tuple[Question, ...] | None = None
        self._answered: dict[str, tuple[str, bytes]] = {}

    def _begin(self, broker: Broker) -> None:
        self._sent = self._questions = None
        self._there = {}
        for guest in self._guests:
            own = f"{self._base}/{guest}"
            broker.subscribe(f"{own}/ask", self._hears(partial(self._on_request, guest)), kept=True)
            pictured = self._hears(partial(self._pictured, guest), dice_line.PICTURES_BYTES_MAX)
            broker.subscribe(f"{own}/dice", pictured, kept=True)
            broker.subscribe(f"{own}/question", self._hears(partial(self._on_question, guest)), kept=True)
            broker.subscribe(f"{own}/line", partial(self._line_of, guest), kept=True)
        broker.publish([Post(self._mine, ONLINE, retained=True)])

    @property
    def session(self) -> str:
        """The name of the log, which changes at each start of the station and when a log is restored."""
        return f"{self._started}-{self._logs}"

    def _look_at_log(self) -> None:
        """Another one that was put back gets its name, and what was promised for its throws is forgotten."""
        if self._logs != self._table.logs:
            self._sent, self._logs = None, self._table.logs
            self._throws.forget()

    def _line_of(self, guest: str, payload: bytes) -> None:
        self._there[guest] = payload == ONLINE

    def _tell(self, broker: Broker) -> None:
        """Publish the whole game where it changed, and note which home is missing."""
        self._look_at_log()
        unsent = self._pictures.unsent()  # before the log that has their throws
        number, past = now = self._home.numbered()
        if self._sent is None or self._sent[0] != number or self._sent[1] is not past:
            events = [event.to_json() for event in past]
            body = {"session": self.session, "number": number, "events": events}
            broker.publish([Post(f"{self._base}/log", payload_of(body), retained=True)])
            self._sent = now
        self._beside.extend(Post(f"{self._base}/dice", dice_line.of_pictures(made)) for made in unsent)
        self._tell_beside(broker)
        questions = self._home.questions()
        if questions != self._questions:
            told_now = payload_of(dice_line.of_questions(questions))
            broker.publish([Post(f"{self._base}/questions", told_now, retained=True)])
            self._questions = questions
        wanted = {
            home
            for player in self._table.snapshot().players
            if not player.gone and (home := player.part(PlayerPart).home)
        }
        away = sorted(home for home in wanted if not self._there.get(home))
        trouble = self._missing(away[0], f"{self._base}/#", received=away[0] in self._there) if away else None
        if trouble != self.trouble:
            self._say(trouble)

    def _pictured(self, guest: str, message: Any) -> None:
        self._show(dice_line.pictures(message, guest))

    def _on_question(self, guest: str, message: Any) -> None:
        """Events that are not theirs, or come too late, are ignored."""
        self._home.take_question(guest, dice_line.question(message))

    def _on_request(self, guest: str, message: Any) -> None:
        """Write down the steps of a guest; a repeated request gets the same response.

        Raises any error here but a refusal of the game; a waiting guest gets its response first.
        """
        self._look_at_log()
        request = read(REQUEST, message)
        known = self._answered.get(guest)
        odd: Exception | None = None
        if known is None or known[0] != request.id:
            try:
                response = {"id": request.id, **self._done(guest, request)}
            except YachtError as error:
                odd = error if isinstance(error, BadInputError) else None
                response = _refused(request, error)
            except Exception as error:  # noqa: BLE001 - raised again below, when the guest has its answer
                odd, response = error, _refused(request, BadInputError("homes/odd"))
            known = self._answered[guest] = (request.id, payload_of(response))
        if self._broker is not None:
            self._broker.publish([Post(f"{self._base}/{guest}/answer", known[1])])
        if odd is not None:
            raise odd

    def _done(self, guest: str, request: GuestRequest) -> dict[str, Any]:
        if request.session != self.session:
            raise RefusalError("version/stale")
        if request.throw is not None:
            return self._throws.answer(guest, request.after, request.throw)
        return {"number": self._home.take(request.after, guest, _events(request.events))}

    def _good(self) -> Message:
        return Message("homes/good_host", guests=self._guests)


def _refused(request: GuestRequest, error: YachtError) -> dict[str, Any]:
    """The answer to a guest whose request was not carried out."""
    sentence = text(error.message, request.language)[:TEXT_MAX]
    return {"id": request.id, "error": {"code": error.code, "message": sentence}}


class GuestLine(HomeLine):
    """The side that plays along."""

    def __init__(
        self,
        mqtt: Mqtt,
        table: Table,
        mirror: MirrorLog,
        host: str,
        language: str,
        pictures: HomePictures | None = None,
    ) -> None:
        base = f"{mqtt.topic}/1/{host}/homes"
        self._own = f"{base}/{mqtt.station_used}"
        super().__init__(mqtt, table, base, f"{self._own}/line", pictures)
        self._host, self._mirror, self._language = host, mirror, language
        self._there: bool | None = None
        self._answers: dict[str, HostResponse | None] = {}
        self._answered = threading.Condition()
        self._throws = GuestThrows(self._request)
        self._apart: Message | None = None
        mirror.ask, mirror.throw, mirror.tell = self._ask, self._throws, self._question

    def _begin(self, broker: Broker) -> None:
        self._there = None
        broker.subscribe(f"{self._base}/log", self._hears(self._follow), kept=True)
        pictured = self._hears(self._pictured, dice_line.PICTURES_BYTES_MAX)
        broker.subscribe(f"{self._base}/dice", pictured, kept=True)
        broker.subscribe(f"{self._base}/questions", self._hears(self._questions), kept=True)
        broker.subscribe(f"{self._base}/line", self._line_of, kept=True)
        broker.subscribe(f"{self._own}/answer", self._answer, kept=True)
        broker.publish([Post(self._mine, ONLINE, retained=True)])

    def _line_of(self, payload: bytes) -> None:
        self._there = payload == ONLINE

    def _tell(self, broker: Broker) -> None:
        unsent = self._pictures.unsent()
        self._beside.extend(Post(f"{self._own}/dice", dice_line.of_pictures(made)) for made in unsent)
        if self._there:
            self._tell_beside(broker)
        received = self._there is not None
        trouble = (
            self._apart if self._there else self._missing(self._host, f"{self._base}/#", received=received)
        )
        if trouble != self.trouble:
            self._say(trouble)

    def _pictured(self, message: Any) -> None:
        made = dice_line.pictures(message)
        if made.home != self._mqtt.station_used:
            self._show(made)

    def _questions(self, message: Any) -> None:
        self._home.take_questions(dice_line.questions(message))

    def _question(self, question: Question) -> None:
        """Raises StoreError while there is no line."""
        broker = self._broker
        if broker is None or not broker.is_open or not self._there:
            raise StoreError("homes/line")
        (body,) = dice_line.of_questions([question])
        self._beside.append(Post(f"{self._own}/question", payload_of(body)))

    def _follow(self, message: Any) -> None:
        """The game as the host has it; what this station cannot follow is waited for."""
        try:
            received = read(LOG, message)
            events = _of_log(received.events, self._mqtt.station_used)
            self._home.mirror(
                events,
                lambda: self._fair(events) and self._mirror.newer(received.session, received.number, events),
            )
        except RefusalError as error:
            self._apart = error.message
        except BadInputError as error:
            if error.message.key == "homes/version":
                self._apart = error.message
            raise
        else:
            self._apart = None

    def _fair(self, events: Sequence[Event]) -> bool:
        """Check all throws against both promises. Raises RefusalError `homes/unfair`."""
        self._throws.follow(events)
        return True

    def _answer(self, payload: bytes) -> None:
        """In paho's thread: somebody waits for it."""
        try:
            answer = read(ANSWER, of_json(payload))
        except BadInputError as error:
            self._strange(error.message)
            return
        with self._answered:
            if answer.id in self._answers:  # else nobody waits for it any more
                self._answers[answer.id] = answer
                self._answered.notify_all()

    def _ask(self, after: int, events: Sequence[Event]) -> int:
        """Have the host write events down. Raises as `_request` does."""
        answer = self._request(after, {"events": [event.to_json() for event in events]})
        if answer.number is None:
            raise StoreError("homes/line")
        return answer.number

    def _request(self, after: int, wanted: dict[str, Any]) -> HostResponse:
        """The host's answer; in the thread of who decided something, with the table locked but for throws.

        Raises RefusalError for the host's refusal, StoreError where it is not known whether it wrote
        anything down: then its log tells it.
        """
        broker, identity = self._broker, secrets.token_hex(8)
        if broker is None or not broker.is_open or not self._there:
            raise StoreError("homes/line")
        request = {
            "id": identity,
            "session": self._mirror.session,
            "after": after,
            "language": self._language,
            **wanted,
        }
        with self._answered:
            self._answers[identity] = None
        try:
            broker.publish([Post(f"{self._own}/ask", payload_of(request))])
            with self._answered:
                self._answered.wait_for(lambda: self._answers[identity] or not broker.is_open, ANSWER_S)
                answer = self._answers[identity]
        except YachtError as error:
            raise StoreError("homes/line") from error
        finally:
            with self._answered:
                self._answers.pop(identity, None)
        return _not_refused(answer)

    def _good(self) -> Message:
        return Message("homes/good_guest", home=self._host)


def _not_refused(answer: HostResponse | None) -> HostResponse:
    """The host's answer. Raises RefusalError for its refusal, StoreError for none."""
    if answer is None:
        raise StoreError("homes/line")
    if answer.error is None:
        return answer
    if answer.error.code == "version/stale":
        raise RefusalError("version/stale")
    raise RefusalError("homes/refused", why=answer.error.message[:300])


def _events(bodies: Iterable[dict[str, Any]]) -> tuple[Event, ...]:
    """Events of a message. Raises BadInputError: of a station of another version, most likely."""
    try:
        return tuple(map(from_json, bodies))
    except BadInputError as error:
        raise BadInputError("homes/version") from error


def _of_log(bodies: Sequence[dict[str, Any]], home: str) -> tuple[Event, ...]:
    """The events that stand at the host, with which a table can live. home: where.

    Raises BadInputError: what nobody knows here is of another version, what cannot be is no game of ours.
    """
    kinds = {str(each.get("kind")) for each in bodies}
    if not kinds <= KINDS.keys():
        raise BadInputError("homes/version")
    if Undone.kind in kinds:  # what was taken back does not stand
        raise BadInputError("homes/odd")
    try:
        events = tuple(map(from_json, bodies))
        exercise(Table(MemoryLog(events), at_table=[Home(home)]))
    except UNPLAYABLE as error:
        newer = isinstance(error, YachtError) and error.code in {"rules/unknown", "rules/bad_file"}
        raise BadInputError("homes/version" if newer else "homes/odd") from error
    return events
