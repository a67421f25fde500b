"""Games in which all play at once, with the same throws."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.fields import Flag
from station.contract.view import DieView, Text
from station.features.all_at_once import copies
from station.features.all_at_once.box_chosen import BoxChosen
from station.features.all_at_once.choose_player import ChoosePlayer
from station.features.all_at_once.copies import COPY
from station.features.all_at_once.copy_held import CopyHeld
from station.features.all_at_once.ready import PlayerReady, Ready
from station.features.all_at_once.simultaneous_way import AllAtOnce, colour_note, waited_for
from station.features.all_at_once.unready import PlayerUnready, Unready
from station.game.feature import Feature, Start
from station.game.log.options import GameOption
from station.game.log.player import Player
from station.game.log.state import State
from station.game.situation import Situation
from station.game.way import WAY


def _read(word: str) -> bool:
    if word != "together":
        raise ValueError
    return True


SIMULTANEOUS: GameOption[bool] = GameOption(
    name="simultaneous",
    usual=False,
    field=None,
    request=bool,
    kept=Flag,
    word="play",
    keep=lambda _, rules: rules.simultaneous,
    write=lambda _: "together",
    read=_read,
)
"""From the rules; games older than such rules were played in turns."""


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    simultaneous: Annotated[bool, Field(description="Whether all play at once, with the same throws.")] = (
        False
    )
    waits_for: Annotated[
        tuple[int, ...], Field(description="Where all play at once: indexes of those who are not ready.")
    ] = ()
    dice_note: Annotated[
        Text | None, Field(description="In words: how dice are followed that have the same colour.")
    ] = None


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the view of a player: the copy of the dice."""

    dice: Annotated[tuple[DieView, ...], Field(description="Where all play at once: the own copy.")] = ()
    ready: Annotated[bool, Field(description="Where all play at once: not waited for.")] = False
    chosen: Annotated[
        str | None, Field(description="Where all play at once: the box that is written when all are ready.")
    ] = None


Together = Annotated[bool, Field(description="Whether all play at the same time.")]


class AllAtOnceFeature(Feature):
    """Five dice are thrown for everybody."""

    events = (CopyHeld, BoxChosen, PlayerReady, PlayerUnready)
    commands = (Ready, Unready, ChoosePlayer)
    game_options = (SIMULTANEOUS,)
    rules_fields = MappingProxyType({"together": (Together, lambda rules: rules.simultaneous)})
    table_view = TablePart
    player_view = PlayerPart

    def check(self, start: Start) -> None:
        """Raise RefusalError `starter/together` where somebody is to start alone."""
        if start.rules.simultaneous and start.starter is not None:
            raise RefusalError("starter/together", title=start.rules.title)

    def begun(self, state: State) -> State:
        """It is played so."""
        return WAY.put(state, AllAtOnce()) if SIMULTANEOUS.of(state) else state

    def waits_for(self, now: Situation) -> Message | None:
        """A throw, or those who are not ready."""
        all_at_once = now.state.running and not WAY.of(now.state).in_turns
        return waited_for(now.state, now.offer) if all_at_once else None

    def of_table(self, now: Situation) -> TablePart:
        """The players the table waits for, and how the dice are distinguished."""
        state = now.state
        if WAY.of(state).in_turns:
            return TablePart()
        waits_for, note = copies.waited_for(state.players), colour_note(state, now.offer)
        return TablePart(simultaneous=True, waits_for=waits_for, dice_note=note)

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """The copy."""
        copy = COPY.of(player)
        dice = WAY.of(state).dice_views(replace(state, dice=copy.dice, held=copy.held))
        return PlayerPart(dice, copy.ready, copy.chosen)
