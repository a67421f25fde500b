"""`yacht replay`: a game from its text, checked, printed, kept, or played on a page."""

import json
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.errors import BadInputError, FailedError, cause
from messages.message import Message
from station.commands.language import language, say
from station.commands.numbers import BoundedNumber
from station.commands.station_options import FOLDER_OPTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from station.game.log.event import Event
    from station.game.log.state import State
    from station.game.situation import GameCommand
    from station.store import Store

PAUSE_S = 1.5
"""Between two steps at speed 1."""

LARGEST_BYTES = 1_000_000
"""A game of twelve has a hundredth of that."""


@click.command()
@FOLDER_OPTION
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--keep", is_flag=True, help="Bring it into the history of the data folder; stop the station first."
)
@click.option("--play", "station", metavar="URL", help="Play it on the pages of the station at this address.")
@click.option("--speed", type=BoundedNumber(0.1, 1000), default=1.0, show_default=True, help="Of --play.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(*, data: Path, file: Path, keep: bool, station: str | None, speed: float, as_json: bool) -> None:
    """Play the game of the text FILE again, and check that the rules allow it.

    The text is that of 'yacht export --format text', or written by hand.
    """
    played = game_steps(file)
    end = played[-1][2]
    if station is not None:
        _play(station.rstrip("/"), [command for _, command, _ in played if command is not None], speed)
    if keep:
        _keep([event for event, _, _ in played], end, data)
    if as_json:
        click.echo(json.dumps(_result(end)))
    else:
        _print(end)


def game_steps(file: Path) -> "list[tuple[Event, GameCommand | None, State]]":
    """Each event of the game in a file with its command and the state after it. Raises BadInputError.

    Of a game of the family that comes as rules in a file, a text written by hand says the id only.
    """
    from station import games
    from station.game import notation
    from station.game.events import GameStarted
    from station.game.replaying import steps

    def known(event: "Event") -> "Event":
        if not isinstance(event, GameStarted) or event.house:
            return event
        games.check(event.rules, games.texts())
        return replace(event, house=games.texts().get(event.rules, ""))

    played = list(steps((line, known(event)) for line, event in notation.numbered(_game_text(file))))
    if not played:
        raise BadInputError("notation/empty", code="input/bad", path=str(file))
    return played


def _game_text(file: Path) -> str:
    """The text of a game in a file. Raises BadInputError."""
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise BadInputError("notation/too_large", code="input/bad", path=str(file))
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInputError(
            "notation/unreadable", code="input/bad", path=str(file), why=cause(error)
        ) from error
    except UnicodeDecodeError as error:
        raise BadInputError("house-rules/no-text", code="input/bad", path=str(file)) from error


def _result(end: "State") -> dict[str, object]:
    from station.game.log.state import totals

    players = [
        {
            "name": player.name,
            "boxes": {each: player.sheet.points(each) for each in end.played.categories},
            "total": totals(end, player).total,
        }
        for player in end.players
    ]
    ended = {"winners": list(end.winners), "ended_by": end.ended_by}
    return {"rules": end.played.id, "players": players, "finished": not end.running, **ended}


def _print(end: "State") -> None:
    """The sheet, and that the rules allow it."""
    from station.game.sentences import result
    from station.store import export

    say(Message("text", text=export.state_text(end, language())))
    if end.running:
        say(Message("yacht/replay/unfinished"))
    else:
        say(result(end))
    say(Message("yacht/replay/allowed"))


def _keep(events: "list[Event]", end: "State", data: Path) -> None:
    """Write the game into the history, where it is not yet.

    Raises BadInputError, RefusalError while one is being played there, StoreError.
    """
    from messages.errors import RefusalError
    from station.data_folder import data_files
    from station.game.evolve import evolve, replay
    from station.game.replaying import renumbered
    from station.store import Store

    if end.running:
        raise BadInputError("yacht/replay/not_over", code="input/bad")
    store = Store(data, files=data_files())
    try:
        state = replay(store.events())
        if state.running:
            raise RefusalError("game/running_restore", code="game/running")
        there = _there(store, events, end)
        if there is not None:
            raise BadInputError("yacht/replay/there", code="input/bad", game=there)
        number = store.next_game()
        kept = renumbered(events, number, state.game)
        for event in kept:
            state = evolve(state, event)
        before = store.last_event()
        store.append(kept, state)
        # Played long ago: receivers that are up to date do not get it as if it were tonight's game.
        receivers = {name for name, event in store.delivered().items() if event >= before}
        store.note_delivered(dict.fromkeys(receivers, store.last_event()))
    finally:
        store.close()
    say(Message("yacht/replay/kept", game=number), err=True)


def _there(store: "Store", events: "list[Event]", end: "State") -> int | None:
    """The number of an identical past game; None if there is none."""
    from station.game.log.state import totals

    result = [(player.name, totals(end, player).total) for player in end.players]
    text = _text(events)
    for each in store.games():
        same = [(player.name, player.total) for player in each.players] == result
        if each.rules == end.played.id and same and _text(store.transcript(each.game)) == text:
            return each.game
    return None


def _text(events: "Sequence[Event]") -> str:
    """A game as text, without undone steps, its number and the places of dice."""
    from station.game import notation
    from station.game.evolve import of_last_game, replay
    from station.game.replaying import renumbered

    return notation.write(renumbered(of_last_game(replay(events).past), 0, 0))


def _play(address: str, commands: "list[GameCommand]", speed: float) -> None:
    """Ask a station for one step after the other. Raises FailedError with what it says."""
    if not address.startswith(("http://", "https://")):
        raise BadInputError("yacht/replay/address", code="input/bad", address=address)
    for number, command in enumerate(commands):
        if number:
            time.sleep(PAUSE_S / speed)
        body = command.model_dump_json(exclude_none=True).encode()
        headers = {"content-type": "application/json", "accept-language": language()}
        request = urllib.request.Request(f"{address}/api/v1/commands", body, headers)  # noqa: S310 - checked above
        try:
            with urllib.request.urlopen(request, timeout=30):  # noqa: S310 - checked above
                pass
        except urllib.error.HTTPError as error:
            with error:
                message = json.load(error)["error"]["message"]
            raise FailedError("yacht/replay/refused", step=number + 1, why=message) from error
        except OSError as error:
            raise FailedError("yacht/replay/no_station", address=address, why=str(error)) from error
