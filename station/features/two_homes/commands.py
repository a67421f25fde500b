"""Commands in a game of two homes: a throw that both draw, and questions about the face of a die."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import Command, TableCommand, Whose
from station.contract.fields import Face, Slot, Word
from station.features.two_homes import fair_throw
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import Question
from station.features.two_homes.option import WITHOUT_TRAY
from station.game.log.state import State
from station.game.situation import Situation
from station.table.hand import Throw

if TYPE_CHECKING:
    from station.table.play import Play


class DrawRoll(TableCommand):
    """For a player without a tray: both stations draw the dice that are not held; nobody can choose them."""

    whose: ClassVar[Whose] = Whose.TURN
    follows: ClassVar[type[Command]] = Throw
    command: Literal["draw_roll"] = "draw_roll"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While a player without a tray is to throw."""
        return now.expects_roll and WITHOUT_TRAY.of(now.state.player)

    def carry_out(self, play: "Play") -> Callable[[], None]:
        """Without the lock: other commands are refused meanwhile."""
        home, state = play.known(Home), play.state
        throw = fair_throw.due(state, home.name)
        play.know(replace(home, throwing=True))
        return partial(_draw, play, state, throw)


def _draw(play: "Play", state: State, throw: fair_throw.FairThrow) -> None:
    """Draw the throw with the other home. The lock is not held. state: as the game stood."""
    try:
        secrets = play.known(Home).fair(throw)
        with play.lock:
            if play.state is state:  # else the host's log was here first, and tells it
                play.follow((fair_throw.rolled(state, throw, secrets),))
    finally:
        with play.lock:
            play.know(replace(play.known(Home), throwing=False))


class AskingCommand(TableCommand):
    """What the homes ask each other about their last throws, and answer; the game does not wait for it."""

    follows: ClassVar[type[Command]] = Throw

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Whether this home may say it now."""
        return cls.open_to(now.known(Home))

    def carry_out(self, play: "Play") -> None:
        """Sent to the station that keeps the game."""
        home = play.known(Home)
        question = self.question(home)
        if home.tell is not None:
            home.tell(question)
        elif (throws := home.throws.with_question(home.name, question)) is not None:
            play.know(replace(home, throws=throws))

    @abstractmethod
    def question(self, home: Home) -> Question:
        """The question or answer of this home. Raises RefusalError."""

    @classmethod
    @abstractmethod
    def open_to(cls, home: Home) -> bool:
        """Whether this home may say it now, given good fields."""


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
    def open_to(cls, home: Home) -> bool:
        """While another home has thrown dice."""
        return any(name != home.name and not last.drawn for name, last in home.throws.throws.items())

    def question(self, home: Home) -> Question:
        """About a die of the last throw of another home."""
        home_name = self.home or ""
        last = home.throws.throws.get(home_name)
        if last is None or home_name == home.name or last.drawn or self.slot > len(last.faces):
            raise RefusalError("homes/no_throw")
        if last.faces[self.slot - 1] == self.face:
            raise RefusalError("homes/same_face", face=self.face)
        return Question(home_name, last.name, self.slot, self.face)


class LetStand(AskingCommand):
    """Answer what another home asks: the die was looked at again, and shows what it was read as."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["let_stand"] = "let_stand"

    @classmethod
    def open_to(cls, home: Home) -> bool:
        """While another home asks."""
        question = home.throws.questions.get(home.name)
        return question is not None and not question.stands and home.throws.open(question)

    def question(self, home: Home) -> Question:
        """The answer that the throw stands."""
        if not self.open_to(home):
            raise RefusalError("homes/no_question")
        return replace(home.throws.questions[home.name], stands=True)
