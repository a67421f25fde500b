"""Who plays: names, how many, starting a game, joining late, playing again."""

import unicodedata
from collections.abc import Sequence

from messages.errors import RefusalError
from station.contract.commands import AddPlayer, StartGame
from station.contract.fields import PLAYERS_MAX
from station.game.events import Event, GameStarted, PlayerAdded
from station.game.state import Phase, State, rule_set
from station.rules import RuleSet

NAME_MAX = 20
DEFAULT_RULES = "yacht-1938"


def clean_name(name: str) -> str:
    """The name as it is kept: trimmed, inner spaces single.

    Raises RefusalError `player/name` when nothing is left, or it is too long or not printable.

    >>> clean_name("  Ana   Maria ")
    'Ana Maria'
    """
    clean = " ".join(unicodedata.normalize("NFC", name).split())
    if not clean:
        raise RefusalError("player/name")
    if len(clean) > NAME_MAX:
        raise RefusalError(
            "player/name_long", code="player/name", name=f"{clean[:NAME_MAX]}…", count=NAME_MAX
        )
    # A joiner stands inside many an emoji; every other invisible sign would be a trap in a name.
    if any(
        unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"} and sign != "\u200d" for sign in clean
    ):
        raise RefusalError("player/name_signs", code="player/name")
    return clean


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they are kept. Raises RefusalError `player/name` or `player/twice`."""
    clean: list[str] = []
    for name in names:
        one = clean_name(name)
        if one.casefold() in {other.casefold() for other in clean}:
            raise RefusalError("player/twice", name=one)
        clean.append(one)
    return tuple(clean)


def _check_count(rules: RuleSet, count: int) -> None:
    fewest, most = max(rules.players[0], 1), min(rules.players[1], PLAYERS_MAX)
    if count < fewest:
        raise RefusalError("player/too_few", title=rules.title, count=fewest)
    if count > most:
        raise RefusalError("player/too_many", title=rules.title, count=most)


def start(state: State, command: StartGame, game: int, house: str) -> tuple[Event, ...]:
    """A game begins, with those named or those in the lobby. house: the text of the house rules named."""
    if state.running:
        raise RefusalError("game/running")
    waiting = () if command.players is not None else tuple(player.name for player in state.players)
    names = checked_names(command.players if command.players is not None else waiting)
    again = command.rules is None and state.rules is not None
    house = state.house if again else house
    rules = rule_set(command.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
    _check_count(rules, len(names))
    return (GameStarted(game, state.game, rules.id, names, house),)


def rematch(state: State, game: int) -> tuple[Event, ...]:
    """A game begins with the people and rules of the one that ended."""
    if state.phase is not Phase.FINISHED or state.rules is None:
        raise RefusalError("game/not_finished")
    names = tuple(player.name for player in state.players)
    return (GameStarted(game, state.game, state.rules.id, names, state.house),)


def add_player(state: State, command: AddPlayer) -> tuple[Event, ...]:
    """One more sits down, in the lobby or late."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished_for_guests", code="game/finished")
    names = checked_names([*(player.name for player in state.players), command.name])
    most = min(state.rules.players[1] if state.rules else PLAYERS_MAX, PLAYERS_MAX)
    if len(names) > most:
        raise RefusalError("player/table_full", code="player/too_many", count=most)
    return (PlayerAdded(names[-1]),)
