"""Who plays: names, how many, starting a game, joining late, playing again."""

import unicodedata
from collections.abc import Sequence

from messages.errors import RefusalError
from station.contract.commands import AddPlayer, StartGame
from station.game.events import Event, GameStarted, PlayerAdded
from station.game.state import Phase, State, rule_set
from station.rules import RuleSet

PLAYERS_MAX = 8
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
        raise RefusalError("A player needs a name.", code="player/name")
    if len(clean) > NAME_MAX:
        raise RefusalError(
            f"The name {clean[:NAME_MAX]}… is too long; {NAME_MAX} letters fit on the sheet.",
            code="player/name",
        )
    # A joiner stands inside many an emoji; every other invisible sign would be a trap in a name.
    if any(
        unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"} and sign != "\u200d" for sign in clean
    ):
        raise RefusalError("A name may hold letters, digits and signs that can be seen.", code="player/name")
    return clean


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they are kept. Raises RefusalError `player/name` or `player/twice`."""
    clean: list[str] = []
    for name in names:
        one = clean_name(name)
        if one.casefold() in {other.casefold() for other in clean}:
            raise RefusalError(
                f"There is a {one} already; give one of them another name.", code="player/twice"
            )
        clean.append(one)
    return tuple(clean)


def _check_count(rules: RuleSet, count: int) -> None:
    fewest, most = max(rules.players[0], 1), min(rules.players[1], PLAYERS_MAX)
    if count < fewest:
        what = "a player" if fewest == 1 else f"at least {fewest} players"
        raise RefusalError(f"{rules.title} needs {what}.", code="player/too_few")
    if count > most:
        raise RefusalError(f"At most {most} can play {rules.title}.", code="player/too_many")


def start(state: State, command: StartGame, game: int) -> tuple[Event, ...]:
    """A game begins, with those named or those in the lobby."""
    if state.running:
        raise RefusalError("A game is being played; end it before you start another.", code="game/running")
    waiting = () if command.players is not None else tuple(player.name for player in state.players)
    names = checked_names(command.players if command.players is not None else waiting)
    again = command.rules is None and state.rules is not None
    house = state.house if again else command.house
    rules = rule_set(command.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
    _check_count(rules, len(names))
    return (GameStarted(game, state.game, rules.id, names, house),)


def rematch(state: State, game: int) -> tuple[Event, ...]:
    """A game begins with the people and rules of the one that ended."""
    if state.phase is not Phase.FINISHED or state.rules is None:
        raise RefusalError("A rematch follows a finished game.", code="game/not_finished")
    names = tuple(player.name for player in state.players)
    return (GameStarted(game, state.game, state.rules.id, names, state.house),)


def add_player(state: State, command: AddPlayer) -> tuple[Event, ...]:
    """One more sits down, in the lobby or late."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("The game is over; start another one with the new player.", code="game/finished")
    names = checked_names([*(player.name for player in state.players), command.name])
    most = min(state.rules.players[1] if state.rules else PLAYERS_MAX, PLAYERS_MAX)
    if len(names) > most:
        raise RefusalError(f"The table is full: at most {most} can play.", code="player/too_many")
    return (PlayerAdded(names[-1]),)
