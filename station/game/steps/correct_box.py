"""Corrects a box of an earlier turn, and scores the boxes filled after it again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Count, Face, Seat, Word
from station.game.feature import Feature, implementing
from station.game.log import ending
from station.game.log.event import Event
from station.game.log.event_fields import Category, Index
from station.game.log.player import Filling, Player
from station.game.log.state import State
from station.game.situation import GameCommand, Situation, check_seat
from station.game.way import WAY
from station.rules import RuleSet, Sheet, explain, fill
from station.rules.dice import dashed


class CorrectBox(GameCommand):
    """Set a box of an earlier turn right; what came after it is scored anew."""

    whose: ClassVar[Whose] = Whose.HOST
    guarded: ClassVar[str] = "room/host_corrects"
    command: Literal["correct_box"] = "correct_box"
    player: Seat
    category: Word
    faces: Annotated[
        tuple[Face, ...], Field(min_length=1, max_length=10, description="What really lay there.")
    ]
    to: Annotated[Word | None, Field(description="The box the dice belong to instead.")] = None
    force: Annotated[
        bool, Field(strict=True, description="Also if later boxes change, or nobody announced `to`.")
    ] = False

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Once a box is filled."""
        return any(player.sheet.entries for player in now.state.players)

    def decide(self, now: Situation) -> tuple["BoxCorrected", ...]:
        """The box as it should have been filled."""
        state, rules = now.state, now.state.rules
        if rules is None or not state.players:
            raise RefusalError("game/none")
        check_seat(state, self.player, gone=True)
        if len(self.faces) != rules.group:
            raise RefusalError("box/five_dice", count=rules.group)
        player = state.players[self.player]
        throw = throw_of(player, self.category, rules.throws)
        event = BoxCorrected(self.player, self.category, tuple(sorted(self.faces)), throw, self.to or "")
        # Correcting it for trial raises the refusal that says why it cannot be.
        after = corrected(rules, player, event)
        if after.fillings == player.fillings:
            return ()
        if self.force:
            return (event,)
        for feature in implementing(Feature.check_moved) if event.to and event.to != event.category else ():
            feature.check_moved(rules, event.to, throw)
        if changes := _changes(rules, player, after, event.to or event.category):
            raise RefusalError("box/changes_others", changes=changes)
        return (event,)


@dataclass(frozen=True, slots=True)
class BoxCorrected(Event):
    """A box filled earlier was filled wrongly. faces: what really lay there, five dice; throw: which throw.

    seat: whose box, from 0. to: the box the dice should have gone to; empty leaves them where they are.
    """

    kind: ClassVar[str] = "box_corrected"
    word: ClassVar[str] = "rescore"
    corrects: ClassVar[bool] = True
    seat: Index
    category: Category
    faces: Annotated[tuple[Face, ...], Field(max_length=10)]
    throw: Count
    to: Category = ""

    def apply(self, state: State) -> State:
        """The state after the correction; in a finished game the winner may change."""
        rules = state.played
        player = state.players[self.seat]
        try:
            player = corrected(rules, player, self)
        except RefusalError:
            player = _corrected_alone(rules, player, self)
        player = WAY.of(state).box_corrected(rules, player)
        players = (*state.players[: self.seat], player, *state.players[self.seat + 1 :])
        after = replace(state, players=players)
        for feature in implementing(Feature.corrected):
            after = feature.corrected(after)
        return ending.corrected(state, after)

    @property
    def box(self) -> tuple[int, str]:
        """The seat and the category in which the dice are now."""
        return self.seat, self.to or self.category

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player and the box, in words."""
        box = after.played.box(self.category).label
        return Message("undo/correction", name=after.players[self.seat].name, box=box)

    def command(self) -> CorrectBox:
        """The same, also where other boxes change by it."""
        command = CorrectBox(player=self.seat, category=self.category, faces=self.faces, force=True)
        return command.model_copy(update={"to": self.to or None})

    def words(self) -> list[str]:
        """The box, where its dice go, and whose it is, the faces, the throw."""
        numbers = (str(self.seat), *map(str, self.faces), str(self.throw))
        return [self.word, self.category, self.to or self.category, *numbers]

    @classmethod
    def of_words(cls, words: list[str]) -> Self:
        """Read back `words`' work."""
        category, to, *numbers = words
        seat, *faces, throw = map(int, numbers)
        return cls(seat, category, tuple(faces), throw, "" if to == category else to)


def corrected(rules: RuleSet, player: Player, event: BoxCorrected) -> Player:
    """The player with one box corrected, and all boxes filled after it scored again.

    Raises RefusalError when the box is not filled, the dice cannot go to the other one, or a later box could
    not have been filled as it was.
    """
    places = [filling.category for filling in player.fillings]
    if event.category not in places:
        raise RefusalError("box/open")
    place = places.index(event.category)
    if event.to and event.to != event.category and event.to in places:
        raise RefusalError("box/filled_before", code="box/filled", box=rules.box(event.to).label)
    right = Filling(event.to or event.category, event.faces, event.throw)
    fillings = (*player.fillings[:place], right, *player.fillings[place + 1 :])
    sheet = replace(player.sheet, entries=())
    for number, filling in enumerate(fillings):
        try:
            sheet = fill(rules, sheet, filling.category, filling.faces, filling.throw)
        except RefusalError:
            if number == place:
                raise
            label, dice = rules.box(filling.category).label, dashed(filling.faces)
            raise RefusalError("box/impossible_after", box=label, faces=dice) from None
    return replace(player, sheet=sheet, fillings=fillings)


def elsewhere(rules: RuleSet, player: Player, filling: Filling) -> dict[str, int]:
    """The open boxes that may have these dice instead of the box they are in, each with its points then."""
    found = {}
    for to in player.sheet.open(rules):
        try:
            for feature in implementing(Feature.check_moved):
                feature.check_moved(rules, to, filling.throw)
            after = corrected(
                rules, player, BoxCorrected(0, filling.category, filling.faces, filling.throw, to)
            )
        except RefusalError:
            continue
        found[to] = after.sheet.points(to) or 0
    return found


def throw_of(player: Player, category: str, default: int) -> int:
    """After which throw, from 1, that box was filled; `default` where it is not filled.

    A box filled after the first throw may be worth more in General, also once it is set right.
    """
    throws = (filling.throw for filling in player.fillings if filling.category == category)
    return next(throws, default)


def _corrected_alone(rules: RuleSet, player: Player, event: BoxCorrected) -> Player:
    """The box set right, later ones as they were: so logs of version 0.1 are read, which allowed it."""
    place = [filling.category for filling in player.fillings].index(event.category)
    entries, fillings = player.sheet.entries, player.fillings
    right = Filling(event.to or event.category, event.faces, event.throw)
    sheet = fill(rules, Sheet(entries[:place]), right.category, right.faces, right.throw)
    return replace(
        player,
        sheet=replace(player.sheet, entries=(*sheet.entries, *entries[place + 1 :])),
        fillings=(*fillings[:place], right, *fillings[place + 1 :]),
    )


def _changes(rules: RuleSet, before: Player, after: Player, besides: str) -> tuple[Message, ...]:
    """The changes of other boxes by a correction, in words: box, player, from, to, why."""
    found = []
    for number, (old, new) in enumerate(zip(before.sheet.entries, after.sheet.entries, strict=True)):
        was, now = old.points + old.extra, new.points + new.extra
        if new.category == besides or was == now:
            continue
        filling = after.fillings[number]
        sheet = Sheet(after.sheet.entries[:number])
        why = explain(rules, filling.category, filling.faces, filling.throw, sheet).sentence
        label = rules.box(new.category).label
        found.append(
            Message(
                "box/change", box=label, category=new.category, player=before.name, was=was, now=now, why=why
            )
        )
    return tuple(found)
