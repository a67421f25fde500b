"""`yacht review`: what every decision of a game gave away."""

import json
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import language, say
from station.commands.options import DATA_OPTION, JSON_OPTION, advisor, solution
from station.commands.replay import game_steps


@click.command("review")
@click.argument("file", type=click.Path(path_type=Path))
@DATA_OPTION
@JSON_OPTION
def command(*, file: Path, data_dir: Path | None, as_json: bool) -> None:
    """Look back at the game of the text FILE: luck, and what each decision gave away.

    The text is that of 'yacht export --format text', or written by hand.
    """
    from station.advice.reviews import decisions, game_review
    from station.contract import view
    from station.strategy.values.solver import Solution

    played = game_steps(file)
    end = played[-1][2]
    values = solution(end.played, data_dir)
    names, events = [player.name for player in end.players], [event for event, _, _ in played]
    offsets = () if isinstance(values, Solution) else advisor(data_dir).kept_offsets(end.played)
    found = game_review(values, 1, names, events, offsets)
    if as_json:
        click.echo(json.dumps(view.as_json(found, language())))
        return
    for player in found.players:
        say(
            Message(
                "yacht/review/player", name=player.name, score=player.score, luck=player.luck,
                given=player.given_away,
            )
        )  # fmt: skip
        for decision in decisions(end.played, player):
            say(decision)
