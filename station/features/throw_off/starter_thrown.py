"""A player throws one die for who starts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from messages.message import Message
from station.contract.fields import Face, Flag
from station.game.log.event import Leaves
from station.game.log.event_fields import Lying
from station.game.log.feature_values import FeatureValue
from station.game.log.slots import Die
from station.game.log.state import State, left
from station.game.steps.accept_roll import EnterRoll

FOR_START: FeatureValue[tuple[int, ...]] = FeatureValue("for_start", ())
"""A value of a player: the faces of the single dice thrown for the start, one for each round."""


@dataclass(frozen=True, slots=True)
class StarterThrown(Leaves):
    """A player threw one die for who starts. typed: by a person, not read by the camera."""

    kind: ClassVar[str] = "starter_thrown"
    word: ClassVar[str] = "starter"
    confirms: ClassVar[bool] = True
    begins_turn: ClassVar[bool] = True
    face: Face
    typed: Flag = False
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """The face counts for who threw; who is next follows (`ThrowOff.followed`)."""
        player = FOR_START.put(state.player, (*FOR_START.of(state.player), self.face))
        players = (*state.players[: state.active], player, *state.players[state.active + 1 :])
        return left(replace(state, players=players, lying=()), self)

    @property
    def single(self) -> Die:
        """Seen where it was read, and alone."""
        seen = len(self.left) == 1 and not self.typed
        return Die(1, self.face, replace(self.left[0], face=self.face) if seen else None)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player and the throw."""
        return Message("undo/starter", name=before().player.name, face=self.face)

    def command(self) -> EnterRoll:
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
