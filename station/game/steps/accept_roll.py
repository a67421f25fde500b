"""A throw counts: read by the camera, typed, or drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from messages.message import Message
from station.contract.commands import EnterRoll
from station.contract.fields import Flag, Text
from station.game.log.ending import with_big_general
from station.game.log.event import EventBase
from station.game.log.fields import SECRETS_MAX, RolledDie
from station.game.log.rounds import copied
from station.game.log.slots import Die
from station.game.log.state import Phase, State
from station.rules.dice import dashed


@dataclass(frozen=True, slots=True)
class RollAccepted(EventBase):
    """The faces on the tray count as a throw of the active player. dice: all of them, by slot.

    typed: by a person. drawn: by the station, for a computer player or one without a tray; such dice lie
    nowhere. secrets: of the latter, those of the host and the guest in hex
    (`station.game.two_homes.fair_throw`).
    """

    kind: ClassVar[str] = "roll_accepted"
    word: ClassVar[str] = "roll"
    told_back: ClassVar[bool] = True
    in_turn: ClassVar[bool] = True
    is_roll: ClassVar[bool] = True
    dice: Annotated[tuple[RolledDie, ...], Field(max_length=10)]
    typed: Flag = False
    drawn: Flag = False
    secrets: Annotated[tuple[Text, ...], Field(max_length=SECRETS_MAX)] = ()

    def apply(self, state: State) -> State:
        """One throw more is done. After the last one nothing can be held any more."""
        rules = state.played
        done = state.throws_done + 1
        phase = Phase.HOLDING if done < state.throws_allowed else Phase.CHOOSING
        held = state.held if phase is Phase.HOLDING else ()
        now = replace(state, phase=phase, throws_done=done, dice=self.dice, held=held, lying=self.dice)
        now = replace(now, rolling=False, since=self, drawn=self.drawn, written=())
        return copied(now, rules) if state.simultaneous else with_big_general(now)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """What was thrown, and by whom."""
        faces = dashed(die.face for die in self.dice)
        if after.simultaneous:
            return Message("undo/common_roll", faces=faces)
        return Message("undo/roll", name=after.player.name, faces=faces)

    def asked(self) -> EnterRoll:
        """The faces typed, for the dice have gone."""
        return EnterRoll(faces=tuple(die.face for die in self.dice))

    def log_line(self, after: State) -> str:
        """Which throw of the turn, and its faces."""
        return f"throw {after.throws_done}: {dashed(die.face for die in self.dice)}"

    def to_json(self) -> dict[str, Any]:
        """The dice as [slot, face, seen]."""
        dice = [[die.slot, die.face, die.seen.to_json() if die.seen else None] for die in self.dice]
        more: dict[str, Any] = {"drawn": True} if self.drawn else {}
        more |= {"secrets": list(self.secrets)} if self.secrets else {}
        return {"kind": self.kind, "dice": dice, "typed": self.typed} | more

    def words(self) -> list[str]:
        """How the throw came about, and its faces by slot."""
        faces = [str(die.face) for die in self.dice]
        word = "drawn" if self.drawn else "typed" if self.typed else self.word
        return ["fair", *self.secrets, *faces] if self.secrets else [word, *faces]

    @classmethod
    def readers(cls) -> Mapping[str, Callable[[list[str]], "RollAccepted"]]:
        """A word for each way in which a throw comes about."""

        def fair(words: list[str]) -> RollAccepted:
            host, guest, *faces = words
            return cls(_dice(faces), typed=True, drawn=True, secrets=(host, guest))

        def plainly(words: list[str], *, typed: bool = False, drawn: bool = False) -> RollAccepted:
            return cls(_dice(words), typed=typed, drawn=drawn)

        return {
            "roll": plainly,
            "typed": partial(plainly, typed=True),
            "drawn": partial(plainly, typed=True, drawn=True),
            "fair": fair,
        }


def _dice(words: list[str]) -> tuple[Die, ...]:
    return tuple(Die(slot, int(face)) for slot, face in enumerate(words, start=1))
