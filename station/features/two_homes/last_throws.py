"""The last throw of each home that plays one game: what it shows, and what another home asks about it.

Pure. A camera sees the throws of its own home only; the others see pictures of the dice, where the home that
throws allows it, and may ask whether one shows another face. Who threw corrects it, or lets it stand; the
game waits for neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.features.two_homes.option import HOME
from station.game.evolve import evolve, of_last_game
from station.game.log.event import Event
from station.game.log.state import State
from station.game.steps.accept_roll import RollAccepted
from station.game.steps.correct_box import BoxCorrected
from station.game.steps.correct_die import DieCorrected
from station.game.steps.rename_player import PlayerRenamed
from station.rules.dice import FACES


@dataclass(frozen=True, slots=True)
class LastThrow:
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


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What another home asks about a die of a throw."""

    slot: int
    face: Annotated[int, Field(description="What it looks like there.")]
    stands: Annotated[bool, Field(description="Who threw it has looked again, and it stands.")]
    told: Annotated[Text, Field(description="The same in words.")]


@dataclass(frozen=True, slots=True)
class TrayView:
    """The last throw before one home's camera, where a game is played in two."""

    home: Annotated[str | None, Field(description="The other station; null for the one that keeps the game.")]
    player: str
    faces: tuple[int, ...]
    drawn: Annotated[bool, Field(description="Simulated: fixed by both stations together, not thrown.")]
    pictures: Annotated[
        str | None, Field(description="What pictures of its dice are asked for by (`/api/v1/die.jpg`).")
    ] = None
    elsewhere: Annotated[bool, Field(description="In another home than the one that is asked.")] = False
    question: Annotated[
        QuestionView | None, Field(description="What another home asks about it; null for nothing.")
    ] = None


@dataclass(frozen=True, slots=True)
class LastThrows:
    """The last throws of all homes. pictures: names of a throw's, by home. questions: one for a throw."""

    throws: Mapping[str, LastThrow] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, Question] = field(default_factory=dict)

    def followed(self, event: Event, before: State, after: State) -> "LastThrows":
        """The same after one more event. before, after: the state then."""
        match event:
            case _ if event.begins_game:
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
                questions = {h: q for h, q in self.questions.items() if self.throws[h].player != whose}
                now = replace(self, questions=questions)
            case _ if event.takes_back:
                now = self.recalled(after)
            case _:
                now = self
        return now

    def recalled(self, end: State) -> "LastThrows":
        """The last throws of the game that led there, as far as known; none where nobody plays elsewhere."""
        found = LastThrows()
        if any(map(HOME.of, end.players)):
            state = State()
            for event in end.past:
                before, state = state, evolve(state, event)
                found = found.followed(event, before, state)
        same = {home for home, last in found.throws.items() if _alike(last, self.throws.get(home))}
        return replace(
            found,
            pictures={home: name for home, name in self.pictures.items() if home in same},
            questions={home: each for home, each in self.questions.items() if home in same},
        )

    def views(self, here: str) -> tuple[TrayView, ...]:
        """The view for the screens of that home."""
        return tuple(
            TrayView(
                home or None,
                last.player,
                last.faces,
                last.drawn,
                self.pictures.get(home),
                elsewhere=home != here,
                question=self._question_view(self.questions.get(home), last, here),
            )
            for home, last in sorted(self.throws.items())
        )

    def pictured(self, home: str, throw: str, count: int, name: str) -> "LastThrows | None":
        """The same with pictures of that throw; None where it is not the last one there that a camera saw."""
        last = self.throws.get(home)
        if last is None or last.name != throw or last.typed or len(last.faces) != count:
            return None
        return replace(self, pictures={**self.pictures, home: name})

    def with_question(self, home: str, question: Question) -> "LastThrows | None":
        """The same with what that home says; None for what is not its to say, or comes too late."""
        last, known = self.throws.get(question.home), self.questions.get(question.home)
        own = question.home == home
        if last is None or last.drawn or own != question.stands or not self.open(question):
            return None
        if own and known != replace(question, stands=False):
            return None
        return replace(self, questions={**self.questions, question.home: question})

    def with_questions(self, questions: Iterable[Question]) -> "LastThrows":
        """The same with all questions, as the station that keeps the game has them."""
        return replace(self, questions={each.home: each for each in questions if self.open(each)})

    def _with(self, last: LastThrow) -> "LastThrows":
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

    def _question_view(self, question: Question | None, last: LastThrow, here: str) -> QuestionView | None:
        if question is None or not self.open(question):
            return None
        key = "homes/asks" if last.home == here else "homes/asked"
        key = "homes/upheld" if question.stands else key
        sentence = Message(key, name=last.player, now=_now(last, question), face=question.face)
        return QuestionView(question.slot, question.face, question.stands, sentence)


def of_last_roll(state: State) -> LastThrow | None:
    """The throw that counts now, where there is one."""
    before: list[Event] = list(state.past)
    while before and not isinstance(before[-1], RollAccepted):
        before.pop()
    if not before or not isinstance(event := before.pop(), RollAccepted):
        return None
    return replace(_named(event, state, before), faces=state.faces)


def _named(event: RollAccepted, state: State, before: Sequence[Event]) -> LastThrow:
    """The throw as it was confirmed. state: with its player; before: the events that stood."""
    faces = tuple(die.face for die in event.dice)
    name = f"{state.game}-{len(of_last_game(before))}"
    player = state.player
    return LastThrow(HOME.of(player), player.name, name, faces, faces, event.typed, event.drawn)


def _now(last: LastThrow, question: Question) -> int:
    return last.faces[question.slot - 1]


def _alike(one: LastThrow, other: LastThrow | None) -> bool:
    return other is not None and (one.name, one.rolled, one.typed) == (other.name, other.rolled, other.typed)
