"""The active player fills a box."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Face, Flag, Slot, Word
from station.game import boxes
from station.game.evolve import evolve
from station.game.log.event import Event, Leaves
from station.game.log.event_fields import Category, Lying, Slots
from station.game.log.player import Filling
from station.game.log.state import State, left, with_player
from station.game.sentences import not_ready
from station.game.situation import OptionalSeat, SeatCommand, Situation, must_run
from station.game.steps.accept_roll import AcceptRoll
from station.game.way import WAY
from station.rules import RuleSet, fill
from station.rules.dice import dashed


class ScoreBox(SeatCommand):
    """Write the confirmed roll into a box of the active player; refused while a newer throw lies there.

    Where all play at once it picks the box that is written when all are ready.
    """

    whose: ClassVar[Whose] = Whose.TURN
    command: Literal["score_box"] = "score_box"
    category: Word
    slots: Annotated[
        tuple[Slot, ...] | None,
        Field(max_length=10, description="The five dice for it, where a turn fills two boxes."),
    ] = None
    force: Annotated[
        bool, Field(strict=True, description="Also while a newer throw rolls or lies unconfirmed.")
    ] = False
    roll: Annotated[
        tuple[Face, ...] | None,
        Field(
            max_length=10,
            description="Confirms the throw that lies there as well, if it shows these faces, slot by slot.",
        ),
    ] = None
    player: OptionalSeat = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """On offer with a confirmed roll, in the phases of the way of playing."""
        state = now.state
        return bool(state.dice) and state.phase in WAY.of(state).scores_in and not now.newer

    def decide(self, now: Situation) -> tuple[Event, ...]:
        """The box is filled; with `roll` the throw is confirmed first."""
        state = now.state
        rules = must_run(state)
        if (events := WAY.of(state).score(state, self.player, self.category)) is not None:
            return events
        self.check_turn(state)
        confirmed = self.roll is not None and not now.newer and self.roll == state.faces
        if self.roll is not None and not confirmed and WAY.of(state).scores_in:
            return self._with_roll(now, self.roll)
        now.check_roll()
        if not self.force:
            now.check_no_newer()
        return (self._filled(now, state, rules),)

    def _with_roll(self, now: Situation, roll: tuple[int, ...]) -> tuple[Event, ...]:
        """Confirms the throw in the tray and scores it; a throw that ends the game needs no box."""
        offer = now.offer
        if not offer.ready:
            raise RefusalError(not_ready(offer, blind=now.sight.blind), code="roll/unsure")
        if tuple(die.face for die in offer.dice) != roll:
            raise RefusalError(
                "roll/other_dice", code="roll/other", faces=dashed(die.face for die in offer.dice)
            )
        confirmed = AcceptRoll().decide(now)
        state = now.state
        for event in confirmed:
            state = evolve(state, event)
        if not state.running:
            return confirmed
        return (*confirmed, replace(self._filled(now, state, must_run(state)), at_once=True))

    def _filled(self, now: Situation, state: State, rules: RuleSet) -> "BoxScored":
        """The event of the box. Raises RefusalError where it cannot be filled with the dice of that state."""
        category = self.category
        slots = WAY.of(state).dice_for(state, category, self.slots)
        used = [die.face for die in state.dice if not slots or die.slot in slots]
        # Filling it for trial raises the refusal that says why a box cannot be filled.
        fill(rules, state.player.sheet, category, used)
        if refused := boxes.refusal(state, category):
            raise refused
        return BoxScored(category, slots, *now.left)


AT_ONCE = "take"
"""The word in a line of notation for a box that confirmed its throw."""


@dataclass(frozen=True, slots=True)
class BoxScored(Leaves):
    """The active player filled a box. slots: the dice used, where the rule set splits them; else empty.

    at_once: the throw was confirmed by it; the two are one step.
    """

    kind: ClassVar[str] = "box_scored"
    word: ClassVar[str] = "box"
    begins_turn: ClassVar[bool] = True
    plain: ClassVar[tuple[str, ...]] = ("category", "slots")
    in_turn: ClassVar[bool] = True
    category: Category
    slots: Slots = ()
    left: Lying = ()
    rolling: Flag = False
    at_once: Flag = False

    @property
    def with_previous(self) -> bool:
        """Whether it is one step with its throw."""
        return self.at_once

    def ends_line(self, following: Event) -> bool:
        """Unless a second box follows."""
        return not isinstance(following, BoxScored)

    def to_json(self) -> dict[str, Any]:
        """The fields; `at_once` only where it is so."""
        body = Event.to_json(self)
        return body if self.at_once else {key: value for key, value in body.items() if key != "at_once"}

    def words(self) -> list[str]:
        """The box, and the dice it took; another word where the throw was confirmed by it."""
        return [AT_ONCE if self.at_once else self.word, *self._plain_words()]

    @classmethod
    def readers(cls) -> Mapping[str, Callable[[list[str]], Self]]:
        """A word for each way."""
        return {cls.word: cls.of_words, AT_ONCE: lambda words: replace(cls.of_words(words), at_once=True)}

    def apply(self, state: State) -> State:
        """The turn goes on where the way of playing says so, or the next player's begins."""
        return left(self._filled(state), self)

    def _filled(self, state: State) -> State:
        rules = state.played
        used = tuple(die for die in state.dice if not self.slots or die.slot in self.slots)
        rest = tuple(die for die in state.dice if die not in used)
        faces = tuple(sorted(die.face for die in used))
        filling = Filling(self.category, faces, state.throws_done)
        sheet = fill(rules, state.player.sheet, self.category, faces, state.throws_done)
        filled = with_player(state, state.active, sheet=sheet, fillings=(*state.player.fillings, filling))
        after = replace(filled, written=(*state.written, (state.active, self.category)))
        return WAY.of(state).box_filled(after, rest)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player, the box and its points, in words."""
        player = after.players[after.written[-1][0]]
        got = Message("points/count", count=player.sheet.points(self.category) or 0)
        box = after.played.box(self.category).label
        return Message("undo/box", name=player.name, points=got, box=box)

    def command(self) -> ScoreBox:
        """The same."""
        return ScoreBox(category=self.category, slots=self.slots or None)

    def mover(self, after: State) -> str:
        """The player whose box it is, since the turn has moved on."""
        return after.players[after.written[-1][0]].name

    def log_line(self, after: State) -> str:
        """A log line with the box and the highest points that anyone has in it."""
        filled = [player.sheet.points(self.category) for player in after.players]
        return f"{self.category} filled ({max(points or 0 for points in filled)})"
