"""A throw counts: read by the camera, typed, or drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Face, Flag, Text
from station.game.dice.tray import Offer
from station.game.feature import Feature, implementing
from station.game.log.event import Event
from station.game.log.event_fields import SECRETS_MAX, RolledDie
from station.game.log.slots import Die
from station.game.log.state import Phase, State
from station.game.sentences import held_changed, not_ready, wrong
from station.game.situation import GameCommand, Situation, may_roll
from station.game.steps.hold import HeldSet
from station.game.way import WAY
from station.rules.dice import dashed


class EnterRoll(GameCommand):
    """Type the roll by hand, slot by slot; held dice keep their face."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["enter_roll"] = "enter_roll"
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=10)]

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While a throw is expected."""
        return now.expects_roll

    def decide(self, now: Situation) -> tuple[Event, ...]:
        """The faces count as typed."""
        state = now.state
        rules = may_roll(state)
        if (events := WAY.of(state).thrown(now, self.faces, typed=True)) is not None:
            return events
        if len(self.faces) != rules.dice:
            raise RefusalError("roll/count", title=rules.title, wanted=rules.dice, count=len(self.faces))
        for die in state.held_dice:
            if self.faces[die.slot - 1] != die.face:
                raise RefusalError(
                    "roll/held_face",
                    code="roll/held_changed",
                    slot=die.slot,
                    face=die.face,
                    other=self.faces[die.slot - 1],
                )
        return (RollAccepted(WAY.of(state).typed(state, self.faces, now.sight.seen), typed=True),)


class AcceptRoll(GameCommand):
    """Confirm what the camera reads; refused while the reading is not `ready`."""

    whose: ClassVar[Whose] = Whose.TRAY
    by_confirm: ClassVar[bool] = True
    command: Literal["accept_roll"] = "accept_roll"
    force: Annotated[
        bool, Field(strict=True, description="Also if nothing seems to have moved or held dice changed.")
    ] = False

    @classmethod
    def available(cls, now: Situation) -> bool:
        """On offer with a complete new throw in the tray, and no problem."""
        offer = now.offer
        wrong = offer.missing or (offer.untouched and not offer.wrong)
        return now.expects_roll and offer.ready and offer.fresh and not wrong

    def decide(self, now: Situation) -> tuple[Event, ...]:
        """The throw in the tray counts; features may hold some of its dice."""
        state, offer = now.state, now.offer
        may_roll(state)
        if not offer.ready:
            code = f"roll/{offer.status if offer.status != 'ready' else 'unsure'}"
            raise RefusalError(not_ready(offer, blind=now.sight.blind), code=code)
        if not self.force:
            self._check(state, offer)
        if (events := WAY.of(state).thrown(now, [die.face for die in offer.dice], typed=False)) is not None:
            return events
        kept = HeldSet(tuple(sorted({*state.held, *offer.unmoved})), offer.unmoved)
        rolled = RollAccepted(offer.dice)
        besides = (slot for each in implementing(Feature.held_with) for slot in each.held_with(offer))
        held = tuple(sorted({*state.held, *besides}))
        holds = state.rolls_left > 1 and held != state.held and WAY.of(state).in_turns
        return (*((kept,) if offer.unmoved else ()), rolled, *((HeldSet(held),) if holds else ()))

    @staticmethod
    def _check(state: State, offer: Offer) -> None:
        if not offer.fresh:
            raise RefusalError("roll/not_thrown")
        if offer.missing:
            raise RefusalError(held_changed(state, offer))
        if problem := offer.wrong or wrong(state, offer):
            raise RefusalError(problem)


@dataclass(frozen=True, slots=True)
class RollAccepted(Event):
    """The faces on the tray count as a throw of the active player. dice: all of them, by slot.

    typed: by a person. drawn: by the station, for somebody who throws no dice; such dice lie nowhere.
    secrets: where two stations drew it, those of the one that keeps the game and of the other, in hex.
    """

    kind: ClassVar[str] = "roll_accepted"
    word: ClassVar[str] = "roll"
    in_turn: ClassVar[bool] = True
    is_roll: ClassVar[bool] = True
    confirms: ClassVar[bool] = True
    dice: Annotated[tuple[RolledDie, ...], Field(max_length=10)]
    typed: Flag = False
    drawn: Flag = False
    secrets: Annotated[tuple[Text, ...], Field(max_length=SECRETS_MAX)] = ()

    def apply(self, state: State) -> State:
        """Add a throw to the turn. After the last one nothing can be held any more."""
        done = state.throws_done + 1
        phase = Phase.HOLDING if done < state.throws_allowed else Phase.CHOOSING
        marked = tuple(slot for slot in state.held if slot not in state.unmarked)
        held = marked if phase is Phase.HOLDING else ()
        now = replace(state, phase=phase, throws_done=done, dice=self.dice, held=held, lying=self.dice)
        now = replace(now, unmarked=())
        now = replace(now, rolling=False, since=self, drawn=self.drawn, written=())
        return WAY.of(now).rolled(now)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The throw and its player."""
        return WAY.of(after).roll_words(after, dashed(die.face for die in self.dice))

    def command(self) -> EnterRoll:
        """The faces typed, for the dice have gone."""
        return EnterRoll(faces=tuple(die.face for die in self.dice))

    def log_line(self, after: State) -> str:
        """The throw's number in the turn, and its faces."""
        return f"throw {after.throws_done}: {dashed(die.face for die in self.dice)}"

    def to_json(self) -> dict[str, Any]:
        """The dice as [slot, face, seen]."""
        dice = [[die.slot, die.face, die.seen.to_json() if die.seen else None] for die in self.dice]
        more: dict[str, Any] = {"drawn": True} if self.drawn else {}
        more |= {"secrets": list(self.secrets)} if self.secrets else {}
        return {"kind": self.kind, "dice": dice, "typed": self.typed} | more

    def words(self) -> list[str]:
        """The kind of throw, and its faces by slot."""
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
