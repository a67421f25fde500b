"""Permissions of screens: of the host, of a player, and of everybody."""

from collections.abc import Callable
from typing import Any

from messages.errors import NotAllowedError
from station.contract.command import Command, Whose
from station.contract.commands import COMMANDS
from station.contract.view import TableView
from station.game.situation import SeatCommand
from station.screens.roles import Role, goes_back, may_play
from station.screens.room_file import KeptRoom, RoomFile


class Permissions:
    """Asked with the mark of a screen, "" for one that has none. Not thread-safe by itself.

    stored: what the room remembers now. file: may be one that could not be read; then there may have been
    protection that nobody knows of any more.
    """

    def __init__(self, stored: Callable[[], KeptRoom], file: RoomFile) -> None:
        self._now = stored
        self._file = file
        self._gone_back: tuple[int, int] | None = None

    @property
    def _stored(self) -> KeptRoom:
        return self._now()

    def check_host(self, mark: str) -> None:
        """Raise NotAllowedError unless this screen is host: to delete, restore or fetch takes one."""
        if mark not in self._stored.hosts:
            raise self._host_only("room/host_only" if self._stored.hosts else "room/no_host")

    def check_settings(self, mark: str) -> None:
        """Raise NotAllowedError unless this screen is host, or there is none yet and nothing to protect."""
        if self._stored.protected or self._file.unread:
            self.check_host(mark)

    def check_own(self, mark: str, name: str | None) -> None:
        """Raise NotAllowedError where roles are given and a screen changes what is not its own."""
        own = name is not None and self._stored.seats.get(mark) == name
        if self._stored.roles and not own and not self._stored.keeps_score(mark):
            raise NotAllowedError("room/not_yours")

    def check(self, mark: str, command: Command, state: TableView, last: Callable[[], str | None]) -> None:
        """Raise NotAllowedError unless this screen may give this command in this state.

        Where there is a PIN, taking back the last box is everybody's, and where nobody has a turn, what is of
        a seat is its player's; going back further, correcting an earlier box, changing who plays and ending a
        game are the host's. Where roles are given, `roles` says. Who keeps the score has the controls alone,
        but for what is of a seat. last: whose step `undo` would take back.
        """
        stored = self._stored
        role, seat = stored.role(mark), stored.seats.get(mark)
        if role is Role.HOST:
            return
        own = not state.in_turns and isinstance(command, SeatCommand)
        if stored.scorekeeper and role is not Role.SCOREKEEPER and not own:
            raise NotAllowedError("room/scorekeeper_only", name=stored.scorekeeper)
        if stored.roles:
            if role is Role.VIEWER:
                raise NotAllowedError("room/no_seat")
            if role is Role.PLAYER and not may_play(seat or "", command, state, last):
                raise NotAllowedError("room/own_seat", name=seat or "")
            return
        if stored.only_seated and role is Role.VIEWER:
            raise NotAllowedError("room/no_seat")
        if stored.pin is not None or self._locked():
            self._check_protected(command, state)
            if own and isinstance(command, SeatCommand):
                self._check_seat(seat, command.player, state)

    def check_outside(self, command: Command, state: TableView) -> None:
        """Raise NotAllowedError where another program or home asks for what the PIN keeps for the host."""
        if self._stored.pin is not None or self._locked():
            self._check_protected(command, state)

    def refused(self, mark: str, state: TableView, last: Callable[[], str | None]) -> tuple[str, ...]:
        """The commands on offer that this screen may not send, not even for its own seat.

        What the PIN alone protects is not among them: who tries learns whom to ask.
        """
        stored = self._stored
        role, seat = stored.role(mark), stored.seats.get(mark)
        guarded = stored.roles or stored.scorekeeper or (stored.only_seated and role is Role.VIEWER)
        if role in {Role.HOST, Role.SCOREKEEPER} or not guarded:
            return ()
        own = next((index for index, each in enumerate(state.players) if seat in each.people), None)

        def may(name: str) -> bool:
            kind: Any = COMMANDS[name]
            command = kind.model_construct(
                **dict.fromkeys({"name", "player", "button"} & kind.model_fields.keys())
            )
            if not state.in_turns or command.whose is Whose.SEAT:
                command = command.model_copy(update={"player": own})
            try:
                self.check(mark, command, state, last)
            except NotAllowedError:
                return False
            return True

        return tuple(name for name in state.commands if not may(name))

    def taken_back(self, before: TableView, after: TableView) -> None:
        """Note a step back, to know how far back people have gone. before, after: the state then.

        Only a turn that was played since, or a game that was begun, lets everybody take back a step more:
        by screens, real buttons, a computer or another home.
        """
        if not before.throws_done:
            self._gone_back = _progress(after)

    def _went_back(self, state: TableView) -> bool:
        """Whether a turn was taken back and none was played since."""
        if self._gone_back is None:
            return False
        game, filled = _progress(state)
        return game == self._gone_back[0] and filled <= self._gone_back[1]

    def _check_protected(self, command: Command, state: TableView) -> None:
        """Raise NotAllowedError for a command that the PIN reserves for the host."""
        if command.guarded:
            raise self._host_only(command.guarded)
        at_turn_start = state.finished or not state.throws_done
        if goes_back(command) and at_turn_start and self._went_back(state):
            raise self._host_only("room/host_goes_back")

    def _check_seat(self, seat: str | None, player: int | None, state: TableView) -> None:
        """Raise NotAllowedError: a seated screen acts for its own seat, another for those without one."""
        player = state.active_player if player is None else player
        if player is None or player >= len(state.players):
            return  # the game refuses it
        name = state.players[player].name
        if name != seat and (seat is not None or name in self._stored.seats.values()):
            raise NotAllowedError("room/own_copy", name=name)

    def _locked(self) -> bool:
        """Whether there may have been protection that nobody can read any more, and no host since."""
        return self._file.unread and not self._stored.hosts

    def _host_only(self, key: str) -> NotAllowedError:
        """The refusal of what is the host's; it says what to do where nobody can be host."""
        if self._locked() and self._file.path is not None:
            path = str(self._file.aside)
            return NotAllowedError(
                "room/unreadable", code="room/host_only", path=path, name=self._file.path.name
            )
        return NotAllowedError(key, code="room/host_only")


def _progress(state: TableView) -> tuple[int, int]:
    """The number of the game, and the number of its filled boxes."""
    return state.game, sum(points is not None for each in state.players for points in each.boxes.values())
