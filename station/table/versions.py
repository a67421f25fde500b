"""Versions: which state a screen shows, and whether its command is for the present one.

A version grows with every change a person can see, readings of the camera included. A command that carries
one is stale when the game, the mark of the buttons or a correction changed after it; readings that come in
between do not make it stale, but a confirmation (`accept_roll`, `correct_die`) is also stale when the roll on
the tray has become another one than the screen showed, one that accepts it when the screen showed none, and
and a correction of a die when its number means another one by now (`listed_dice`). Where it is
nobody's turn alone, what one player does makes nothing stale that another does.

After a start every version of before is stale, for what was seen and marked then is not written down. A page
that finds the game as it left it gives its answer the new version (`web/table/turns.js`).
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence

from messages.errors import RefusalError, StoreError
from station.contract import commands
from station.contract.command import Button, Command
from station.game.dice.tray import Offer
from station.game.log.event import Event, Leaves, SeatEvent
from station.game.log.slots import Die
from station.game.log.state import State
from station.game.situation import SeatCommand
from station.store.event_log import VERSION_BLOCK
from station.table.listed_dice import ListedDice, OfADie

log = logging.getLogger(__name__)

TIMES_KEPT = 200
"""Number of changes of the roll that are stored; commands from before them are stale."""
OF_THE_ROLL = commands.AcceptRoll | OfADie
"""Commands about the roll in the tray."""


class Versions:
    """The versions of one table. Not thread-safe: the table's lock is held.

    reserve: gives the first of VERSION_BLOCK versions that nobody was ever given. Raises StoreError.
    """

    def __init__(self, reserve: Callable[[], int]) -> None:
        self._reserve = reserve
        self._copies: dict[int, int] = {}
        self._roll: tuple[tuple[int, int], ...] = ()
        self._whole = deque([(0, False)], maxlen=TIMES_KEPT)
        self._listed = ListedDice()
        self.begin_block()
        self.now += 1
        self._game = self._rolled = self._round = self._last_command = self.now

    def begin_block(self) -> None:
        """Go on in a block of the log there is now. Raises StoreError."""
        self._begin(self._reserve())

    def _begin(self, first: int) -> None:
        self._ahead: int | None = None
        self._reserving = False
        self.now = first - 1
        self.given = self.now + VERSION_BLOCK
        """No higher one was given to anybody."""

    def count(self) -> int:
        """The next version. Without a new block it counts on: what is stored must still be shown."""
        if self.now >= self.given:
            self._begin(self.given + 1 if self._ahead is None else self._ahead)
        self.now += 1
        return self.now

    def run_low(self) -> bool:
        """Whether the next block is to be reserved now; then no more until that is done."""
        low = self.given - self.now <= VERSION_BLOCK // 2 and self._ahead is None and not self._reserving
        self._reserving = self._reserving or low
        return low

    def reserve_ahead(self) -> None:
        """Reserve the next block: a write, for which no screen waits."""
        try:
            first = self._reserve()
            while first <= self.given:  # of a block that was counted through without being reserved
                first = self._reserve()
        except StoreError as error:
            log.warning("versions go on without a new block: %s", error)
        else:
            self._ahead = first

    def game_changed(self) -> None:
        """Commands for the game as it was before are stale: another one was carried out."""
        self._game = self._last_command = self.now

    def all_changed(self) -> None:
        """Make all earlier commands stale, also those of players for their own dice."""
        self._game = self._round = self._last_command = self.now

    def followed(self, events: Sequence[Event], before: State, after: State) -> None:
        """The game changed by these events; before, after: how it was and is."""
        self._game = self.now
        if any(each.is_roll or isinstance(each, Leaves) for each in events):
            self.forget_roll()
        mine = [event for event in events if isinstance(event, SeatEvent)]
        same = (before.phase, before.throws_done) == (after.phase, after.throws_done)
        if same and len(mine) == len(events):
            self._copies.update(dict.fromkeys((event.seat for event in mine), self.now))
        else:
            self._round = self.now

    def saw(self, now: Offer) -> None:
        """Remember since when the tray shows this roll; a hand passing over it changes nothing."""
        roll = tuple((die.slot, die.face) for die in now.dice)
        if now.ready and roll != self._roll:
            self._roll, self._rolled = roll, self.now
        if now.status != "covered" and now.ready is not self._whole[-1][1]:
            self._whole.append((self.now, now.ready))

    def numbered(self, dice: Sequence[Die]) -> None:
        """Remember which dice the numbers stand for that wait to be confirmed; none where none do."""
        self._listed.show(dice, self.now)

    def forget_roll(self) -> None:
        """The next roll is another one, whatever it shows."""
        self._roll = ()

    def check(self, command: Command, *, in_turns: bool, active: int | None = None) -> None:
        """Raise RefusalError `version/stale` for a command for a state that is past.

        active: for whom the buttons act.
        """
        if command.version is None:
            return
        limit = self._game
        if not in_turns and command.of_round:
            limit = self._round
        elif not in_turns and isinstance(command, SeatCommand) and command.player is not None:
            limit = max(self._round, self._copies.get(command.player, 0))
        elif not in_turns and isinstance(command, commands.Press):
            limit = max(
                self._round, self._last_command, self._copies.get(-1 if active is None else active, 0)
            )
        confirms = isinstance(command, commands.Press) and command.button is Button.CONFIRM
        if confirms or isinstance(command, OF_THE_ROLL):
            limit = max(limit, self._rolled)
        if (confirms or isinstance(command, commands.AcceptRoll)) and not self._showed_one(command.version):
            raise RefusalError("version/stale")
        if isinstance(command, OfADie) and not self._listed.matches(command, command.version):
            raise RefusalError("version/stale")
        if not limit <= command.version <= self.now:
            raise RefusalError("version/stale")

    def _showed_one(self, version: int) -> bool:
        """Whether screens of that version showed a whole roll, even if there is none now."""
        shown = (whole for since, whole in reversed(self._whole) if since <= version)
        return not self._whole[-1][1] or next(shown, False)
