"""Teams: several people with one sheet, who throw one after the other, turn by turn."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.fields import PLAYERS_MAX, Name
from station.contract.names import checked_names
from station.contract.paper import Layout
from station.game.feature import Feature, Start
from station.game.log.event_fields import Players
from station.game.log.options import SeatOption
from station.game.log.player import Player
from station.game.log.state import State
from station.game.log.words import quoted, unquoted
from station.game.way import WAY


def _keep(requested: Sequence[Sequence[str] | None]) -> Sequence[tuple[str, ...]]:
    """Raises RefusalError for names that will not do."""
    names = checked_names(name for members in requested for name in members or ())
    kept = []
    for members in requested:
        count = len(members or ())
        kept.append(names[:count])
        names = names[count:]
    return kept


MEMBERS: SeatOption[tuple[str, ...]] = SeatOption(
    name="members",
    usual=(),
    field=(
        Annotated[
            tuple[Name, ...] | None, Field(min_length=1, max_length=PLAYERS_MAX, description="Of a team.")
        ],
        None,
    ),
    request=lambda members: members or None,
    listed="teams",
    kept=Players,
    word="teams",
    keep=_keep,
    write=lambda teams: quoted(quoted(teams)),
    read=lambda word: tuple(tuple(map(str, each)) for each in json.loads(unquoted(word))),
    people_only="team/computer",
)


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the view of a player."""

    members: Annotated[tuple[str, ...], Field(description="Of a team; they throw in turn.")]
    member: Annotated[str | None, Field(description="Whose turn it is, or will be next, in the team.")]


class TeamsFeature(Feature):
    """The members of a seat."""

    seat_options = (MEMBERS,)
    player_view = PlayerPart
    layouts = MappingProxyType(
        {"teams": Layout(columns=4, heads=(Message("html/paper/team"), Message("html/paper/members")))}
    )

    def check(self, start: Start) -> None:
        """Raise RefusalError `team/together` where all play at once, and nobody has a turn."""
        if start.rules.simultaneous and start.anybody(MEMBERS):
            raise RefusalError("team/together", title=start.rules.title)

    def names(self, player: Player) -> tuple[str, ...]:
        """The members."""
        return MEMBERS.of(player)

    def thrower(self, state: State) -> Message | None:
        """The member and the team."""
        hand = member(state, state.player)
        return None if hand is None else Message("team/thrower", member=hand, team=state.player.name)

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """All members, and whose turn it is."""
        return PlayerPart(MEMBERS.of(player), member(state, player))


def member(state: State, player: Player) -> str | None:
    """The member of a team who throws now or next: members throw one after the other, turn by turn."""
    members = MEMBERS.of(player)
    if not members or state.rules is None:
        return None
    begun = WAY.of(state).filled_in_turn(state) if state.running and player is state.player else 0
    turns = state.rules.turns(len(player.sheet.entries) - begun)
    return members[turns % len(members)]
