"""The dice keeper, as hands at the table use it."""

from dataclasses import dataclass, replace

from messages.message import Message
from station.contract.area import Area, Corners, MarkArea
from station.features.dice_keeper import keeper
from station.features.dice_keeper.keeper import LAID
from station.features.dice_keeper.lay_die import LayDie
from station.game.dice.sights import RESTING, Sight
from station.game.dice.tray import Offer
from station.game.feature import Feature
from station.game.log.state import Phase, State
from station.game.players.seats import thrower
from station.game.steps.hold import SetHeld


class MarkKeeper(MarkArea):
    """Mark the dice keeper by its corners (pixels, in order); null: there is none."""


@dataclass(frozen=True, slots=True)
class KeeperPart:
    """Its part of a calibration."""

    keeper: Corners | None


class DiceKeeperFeature(Feature):
    """The consequences of dice in the keeper."""

    commands = (LayDie,)
    calibration_view = KeeperPart
    area = Area(
        step="keeper",
        summary="Mark the dice keeper, or take it away",
        takes=MarkKeeper,
        view=KeeperPart,
        of=lambda profile: profile.keeper,
        marked=lambda profile, corners: replace(profile, keeper=corners),
        read=lambda reading, corners: reading.with_keeper(corners),
    )

    def follow_sight(self, state: State, sight: Sight) -> tuple[Sight, SetHeld | None] | None:
        """Hold what was laid there, and release what was taken out."""
        now = keeper.laid(state, sight)
        if now is None or keeper.by_slot(now.dice) == LAID.of(sight):
            return None
        after, held = keeper.followed(state, sight, now)
        due = held != state.held and state.phase is Phase.HOLDING
        return after, SetHeld(slots=held) if due else None

    def settled(self, state: State, sight: Sight) -> Sight:
        """The dice there then are no news."""
        return keeper.known(state, sight)

    def held_with(self, offer: Offer) -> tuple[int, ...]:
        """The dice in the keeper."""
        return keeper.slots_in(offer)

    def wrong(self, state: State, offer: Offer) -> Message | None:
        """A die is in the keeper, though all have to be thrown."""
        if not (offer.fresh and offer.untouched and offer.status in RESTING):
            return None
        return Message("roll/in_keeper", name=thrower(state), count=len(offer.untouched))
