"""Two stations that play one game, and a line between them that loses, doubles and delays messages."""

from collections.abc import Iterable
from random import Random
from typing import Any

from station.config import Mqtt
from station.features.two_homes.fair_throw import GuestSide, HostSide
from station.features.two_homes.homes import Home
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.home_line import of_json
from station.features.two_homes.line.mirror import MirrorLog
from station.integrations.broker import Broker, Post
from station.store.event_log import MemoryLog
from station.table.table import Table

FATES = ("good", "good", "good", "good", "twice", "ask lost", "answer lost")
"""What becomes of a question and its answer."""


class Wire(Broker):
    """One end's connection, as the line uses it."""

    is_open = True

    def __init__(self, carry: Any) -> None:
        self._carry = carry

    def publish(self, posts: Iterable[Post]) -> None:
        for post in posts:
            self._carry(post)


class Stations:
    """Both tables and both ends of the line, which are the real ones; messages pass as bytes.

    Who keeps a book of what is written overrides `noting` and `knows`.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.log = MemoryLog()
        self.logs: list[bytes] = []
        self.late: list[bytes] = []
        self.questions: list[bytes] = []  # of the guest, on their way
        self.all_questions = b"[]"  # as the broker keeps them
        self.asked: set[str] = set()
        self.answers: dict[str, bytes] = {}
        self.fate, self.spared = "", False
        self.heard: set[str] = set()
        self.number = 0
        """How much of the log the guest has."""
        self.start_host()
        self.start_guest()

    def noting(self, act: Any) -> Any:
        """Do what the host may write for."""
        raise NotImplementedError

    def knows(self, number: int) -> None:
        """The guest has the game up to there."""
        raise NotImplementedError

    def start_host(self) -> None:
        self.host = Table(self.log, at_table=[Home(guests=("berlin",))])
        settings_ = Mqtt.model_validate({"host": "127.0.0.1", "station": "kitchen"})
        self.host_line = HostLine(settings_, self.host, ["berlin"])
        self.host_wire = Wire(self.from_host)
        self.host_line._broker = self.host_wire
        self.host_line._there["berlin"] = True
        self.host_line._throws._side = HostSide(b"h" * 32)  # its key is kept

    def start_guest(self) -> None:
        self.mirror = MirrorLog(MemoryLog())
        self.guest = Table(
            self.mirror, at_table=[Home(name="berlin", fair=self.mirror.draw, tell=self.mirror.question)]
        )
        settings_ = Mqtt.model_validate({"host": "127.0.0.1", "station": "berlin"})
        self.guest_line = GuestLine(settings_, self.guest, self.mirror, "kitchen", "en")
        self.guest_wire = Wire(self.from_guest)
        self.guest_line._broker = self.guest_wire
        self.guest_line._there = True
        self.guest_line._throws._side = GuestSide(self.random.randbytes(32))

    def tell(self) -> None:
        """Both ends say what is new."""
        self.host_line._tell(self.host_wire)
        self.guest_line._tell(self.guest_wire)

    def from_host(self, post: Post) -> None:
        if post.topic.endswith("/log"):
            self.logs.append(post.payload)
        elif post.topic.endswith("/questions"):
            self.all_questions = post.payload
        elif post.topic.endswith("/answer"):
            identity = str(of_json(post.payload)["id"])
            assert self.answers.get(identity) in {None, post.payload}
            self.answers = {identity: post.payload}  # of what was asked last
            if self.fate == "answer lost" and not self.spared:
                self.guest_wire.is_open = False
            else:
                self.guest_line._answer(post.payload)

    def from_guest(self, post: Post) -> None:
        if post.topic.endswith("/question"):
            self.questions.append(post.payload)
        if not post.topic.endswith("/ask"):
            return
        if self.spared:  # a throw takes two
            self.ask(post.payload)
            self.spared = False
        elif self.fate == "ask lost":
            self.late.append(post.payload)
            self.guest_wire.is_open = False
        else:
            for _ in range(2 if self.fate == "twice" else 1):
                self.ask(post.payload)

    def ask(self, payload: bytes) -> None:
        """It comes to the host, which writes it once, and only behind what it was decided on."""
        said = of_json(payload)
        before = len(self.log.written)
        may = said["session"] == self.host_line.session and said["after"] == before
        again = said["id"] in self.asked
        self.asked.add(said["id"])
        self.noting(lambda: self.host_line._on_request("berlin", said))
        assert len(self.log.written) == before or (may and not again)

    def follow(self, payload: bytes) -> None:
        """A log comes to the guest."""
        said = of_json(payload)
        known, now = self.mirror.session, self.host_line.session
        if known == said["session"]:
            newer = said["number"] > self.number
        elif said["session"] == now:
            newer = True
        elif said["session"] in self.heard:
            newer = False
        else:
            return  # a broker does not bring an earlier one first, then
        self.heard.add(said["session"])
        self.guest_line._follow(said)
        if newer:
            self.knows(said["number"])

    def newest_log(self) -> None:
        self.tell()
        self.follow(self.logs[-1])
