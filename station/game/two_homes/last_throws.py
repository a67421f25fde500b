"""The last throw of each home that plays one game: what it shows, and what another home asks about it.

Pure. A camera sees the throws of its own home only; the others see pictures of the dice, where the home that
throws allows it, and may ask whether one shows another face. Who threw corrects it, or lets it stand; the
game waits for neither.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Command, Whose
from station.contract.fields import Face, Slot, Word
from station.contract.view import QuestionView, TrayView
from station.features.two_homes.option import HOME
from station.game.events import (
    BoxCorrected,
    DieCorrected,
    Event,
    GameStarted,
    PlayerRenamed,
    RollAccepted,
    Undone,
)
from station.game.evolve import evolve, of_last_game
from station.game.log.state import State
from station.rules.dice import FACES


@dataclass(frozen=True, slots=True)
class Thrown:
    """One throw. home: "" where the game is kept. rolled: its faces by slot as they were confirmed.

    player: whose, by the name they have now; people change places. name: its game, and how many events stood
    in it before. typed: nobody's camera saw it.
    """

    home: str
    player: str
    name: str
    rolled: tuple[int, ...]
    faces: tuple[int, ...]
    typed: bool
    drawn: bool


@dataclass(frozen=True, slots=True)
class Question:
    """Another home asks whether a die of a throw shows this face. stands: who threw it has looked again."""

    home: str
    throw: str
    slot: int
    face: int
    stands: bool = False


class AskingCommand(Command):
    """What the homes ask each other about their last throws, and answer; the game does not wait for it."""

    @abstractmethod
    def said(self, throws: "LastThrows", here: str) -> Question:
        """What the home of that name has to say. Raises RefusalError."""

    @classmethod
    @abstractmethod
    def open_to(cls, throws: "LastThrows", here: str) -> bool:
        """Whether the home of that name may say it now, given good fields."""


class QuestionDie(AskingCommand):
    """Ask the home that threw last whether a die of it shows another face; the game does not wait for it."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["question_die"] = "question_die"
    home: Annotated[
        Word | None, Field(description="The station there; left out: the one that keeps the game.")
    ] = None
    slot: Slot
    face: Face

    @classmethod
    def open_to(cls, throws: "LastThrows", here: str) -> bool:
        """While another home has thrown dice."""
        return any(home != here and not last.drawn for home, last in throws.throws.items())

    def said(self, throws: "LastThrows", here: str) -> Question:
        """About a die of the last throw of another home."""
        home = self.home or ""
        last = throws.throws.get(home)
        if last is None or home == here or last.drawn or self.slot > len(last.faces):
            raise RefusalError("homes/no_throw")
        if last.faces[self.slot - 1] == self.face:
            raise RefusalError("homes/same_face", face=self.face)
        return Question(home, last.name, self.slot, self.face)


class LetStand(AskingCommand):
    """Answer what another home asks: the die was looked at again, and shows what it was read as."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["let_stand"] = "let_stand"

    @classmethod
    def open_to(cls, throws: "LastThrows", here: str) -> bool:
        """While another home asks."""
        asked = throws.questions.get(here)
        return asked is not None and not asked.stands and throws.open(asked)

    def said(self, throws: "LastThrows", here: str) -> Question:
        """That it stands."""
        if not self.open_to(throws, here):
            raise RefusalError("homes/no_question")
        return replace(throws.questions[here], stands=True)


@dataclass(frozen=True, slots=True)
class LastThrows:
    """Of all homes. pictures: what those of a throw are called, by home. questions: one for a throw."""

    throws: Mapping[str, Thrown] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, Question] = field(default_factory=dict)

    def noting(self, event: Event, before: State, after: State) -> "LastThrows":
        """The same after one more event. before, after: the state then."""
        match event:
            case GameStarted():
                now = LastThrows()
            case RollAccepted():
                now = self._with(_named(event, before, before.past))
            case DieCorrected() if (last := self.throws.get(HOME.of(after.player))) is not None:
                now = replace(self, throws={**self.throws, last.home: replace(last, faces=after.faces)})
            case PlayerRenamed():
                was = before.players[event.seat].name
                throws = {
                    home: replace(last, player=event.name) if last.player == was else last
                    for home, last in self.throws.items()
                }
                now = replace(self, throws=throws)
            case BoxCorrected():
                whose = before.players[event.seat].name
                asked = {h: q for h, q in self.questions.items() if self.throws[h].player != whose}
                now = replace(self, questions=asked)
            case Undone():
                now = self.recalling(after.past)
            case _:
                now = self
        return now

    def recalling(self, past: Sequence[Event]) -> "LastThrows":
        """Those of all events that stand, with what is known of them; none where nobody plays elsewhere."""
        found = LastThrows()
        if any(isinstance(event, GameStarted) and any(map(HOME.of, event.seats)) for event in past):
            state = State()
            for event in past:
                before, state = state, evolve(state, event)
                found = found.noting(event, before, state)
        same = {home for home, last in found.throws.items() if _alike(last, self.throws.get(home))}
        return replace(
            found,
            pictures={home: name for home, name in self.pictures.items() if home in same},
            questions={home: each for home, each in self.questions.items() if home in same},
        )

    def shown(self, here: str) -> tuple[TrayView, ...]:
        """As the screens of the home of that name show them."""
        return tuple(
            TrayView(
                home or None,
                last.player,
                last.faces,
                last.drawn,
                self.pictures.get(home),
                elsewhere=home != here,
                question=self._shown(self.questions.get(home), last, here),
            )
            for home, last in sorted(self.throws.items())
        )

    def pictured(self, home: str, throw: str, count: int, name: str) -> "LastThrows | None":
        """The same with pictures of that throw; None where it is not the last one there that a camera saw."""
        last = self.throws.get(home)
        if last is None or last.name != throw or last.typed or len(last.faces) != count:
            return None
        return replace(self, pictures={**self.pictures, home: name})

    def heard(self, home: str, said: Question) -> "LastThrows | None":
        """The same with what that home says; None for what is not its to say, or comes too late."""
        last, known = self.throws.get(said.home), self.questions.get(said.home)
        own = said.home == home
        if last is None or last.drawn or own != said.stands or not self.open(said):
            return None
        if own and known != replace(said, stands=False):
            return None
        return replace(self, questions={**self.questions, said.home: said})

    def told(self, questions: Iterable[Question]) -> "LastThrows":
        """The same with all that is asked, as the station says that keeps the game."""
        return replace(self, questions={each.home: each for each in questions if self.open(each)})

    def _with(self, last: Thrown) -> "LastThrows":
        return LastThrows(
            {**self.throws, last.home: last},
            {home: each for home, each in self.pictures.items() if home != last.home},
            {home: each for home, each in self.questions.items() if home != last.home},
        )

    def open(self, question: Question) -> bool:
        """Whether it is about a last throw, and not answered by a correction."""
        last = self.throws.get(question.home)
        there = last is not None and last.name == question.throw and 1 <= question.slot <= len(last.faces)
        return there and last is not None and question.face in FACES and _now(last, question) != question.face

    def _shown(self, question: Question | None, last: Thrown, here: str) -> QuestionView | None:
        if question is None or not self.open(question):
            return None
        key = "homes/asks" if last.home == here else "homes/asked"
        key = "homes/upheld" if question.stands else key
        told = Message(key, name=last.player, now=_now(last, question), face=question.face)
        return QuestionView(question.slot, question.face, question.stands, told)


def of_last_roll(state: State) -> Thrown | None:
    """The throw that counts now, where there is one."""
    before: list[Event] = list(state.past)
    while before and not isinstance(before[-1], RollAccepted):
        before.pop()
    if not before or not isinstance(event := before.pop(), RollAccepted):
        return None
    return replace(_named(event, state, before), faces=state.faces)


def _named(event: RollAccepted, state: State, before: Sequence[Event]) -> Thrown:
    """The throw as it was confirmed. state: with its player; before: the events that stood."""
    faces = tuple(die.face for die in event.dice)
    name = f"{state.game}-{len(of_last_game(before))}"
    player = state.player
    return Thrown(HOME.of(player), player.name, name, faces, faces, event.typed, event.drawn)


def _now(last: Thrown, question: Question) -> int:
    return last.faces[question.slot - 1]


def _alike(one: Thrown, other: Thrown | None) -> bool:
    return other is not None and (one.name, one.rolled, one.typed) == (other.name, other.rolled, other.typed)
