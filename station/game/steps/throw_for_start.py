"""A player throws one die for who starts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from messages.message import Message
from station.contract.commands import EnterRoll
from station.contract.fields import Face, Flag
from station.game.log.event import Leaves
from station.game.log.fields import Lying
from station.game.log.state import State, left, with_player


@dataclass(frozen=True, slots=True)
class StarterThrown(Leaves):
    """A player threw one die for who starts. typed: by a person, not read by the camera."""

    kind: ClassVar[str] = "starter_thrown"
    word: ClassVar[str] = "starter"
    told_back: ClassVar[bool] = True
    face: Face
    typed: Flag = False
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """The face counts for who threw; who is next is found out by `station.game.evolve`."""
        faces = (*state.player.for_start, self.face)
        return left(replace(with_player(state, state.active, for_start=faces), lying=()), self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who threw what."""
        return Message("undo/starter", name=before().player.name, face=self.face)

    def asked(self) -> EnterRoll:
        """The face typed."""
        return EnterRoll(faces=(self.face,))

    def words(self) -> list[str]:
        """The face, and whether it was typed."""
        return [self.word, str(self.face), *(["typed"] if self.typed else [])]

    @classmethod
    def of_words(cls, words: list[str]) -> Self:
        """Read back `words`' work."""
        face, *typed = words
        if typed not in ([], ["typed"]):
            raise ValueError
        return cls(int(face), typed=bool(typed))
