"""`yacht simulate`: many games played by what the station knows, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.errors import BadInputError, FailedError, os_error_as
from messages.message import Message
from station.commands.language import say
from station.commands.options import DATA_OPTION, JSON_OPTION, RULES_OPTION, advisor, solution, telling

if TYPE_CHECKING:
    import numpy as np

    from station.rules import RuleSet

TO_WIN = "to-win"
GAMES_MAX = 1_000_000
BARS = 20
WIDE = 50
PICTURE_WH = (800, 400)
MARGIN = 40


@click.command("simulate")
@RULES_OPTION
@click.option(
    "--players", default="perfect", show_default=True, metavar="perfect,to-win,60",
    help="Who plays, in turns: 'perfect', 'to-win', or a strength of 0 to 100, for each.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(2, GAMES_MAX), default=10_000, show_default=True)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1938,
    show_default=True,
    help="Of the dice: the same draws the same.",
)  # fmt: skip
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="An SVG of the scores.")
@DATA_OPTION
@JSON_OPTION
def command(
    *, rule_set: RuleSet, players: str, games: int, seed: int, picture: Path | None, data_dir: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play many games, and print how the scores are distributed and who wins how often."""
    names = players.split(",")
    scores = _played(rule_set, names, games, seed, data_dir)
    found = [_result(name, own, won) for name, own, won in zip(names, scores, _won(scores), strict=True)]
    if picture is not None:
        path = str(picture)
        with os_error_as(lambda why: FailedError("yacht/simulate/not_written", path=path, why=why)):
            picture.write_text(_drawn(scores), encoding="utf-8")
    if as_json:
        click.echo(json.dumps({"rules": rule_set.id, "games": games, "seed": seed, "players": found}))
        return
    for result, own in zip(found, scores, strict=True):
        say(Message("yacht/simulate/player", **result))
        for low, count in zip(*_bars(own), strict=True):
            click.echo(f"{low:7d}  {'#' * round(WIDE * count / max(_bars(own)[1]))}")


def _strength(name: str) -> int:
    """The strength named by a player. Raises BadInputError."""
    if name in ("perfect", TO_WIN):
        return 100
    if name not in map(str, range(101)):
        raise BadInputError("yacht/simulate/player_unknown", code="input/bad", player=name)
    return int(name)


def _played(
    rule_set: RuleSet, players: list[str], games: int, seed: int, data_dir: Path | None
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.intp]]]:
    """The final scores of each player. Alone nobody wins, and who plays to win plays for points."""
    import numpy as np

    from station.strategy.forward.strength import erring
    from station.strategy.forward.trials import Trials
    from station.strategy.odds.win_trials import WinTrials, play_together

    errs = [
        erring(_strength(name), np.random.default_rng((seed, seat)).random)
        for seat, name in enumerate(players)
    ]
    values, finals = solution(rule_set, data_dir), None
    if TO_WIN in players and len(players) > 1:
        with telling("yacht/working-out", title=rule_set.title) as tell:
            finals = advisor(data_dir).finals_now(rule_set, tell)
    table = [
        Trials(values, games, seed + seat)
        if finals is None or name != TO_WIN
        else WinTrials(values, finals, games, seed + seat)
        for seat, name in enumerate(players)
    ]
    with telling("yacht/simulate/playing", count=games) as tell:
        return play_together(table, errs, tell)


def _won(scores: list[np.ndarray[tuple[int, ...], np.dtype[np.intp]]]) -> list[float]:
    """The share of wins of each; equal ones share a win."""
    import numpy as np

    table = np.array(scores)
    best = table == table.max(axis=0)
    shares: list[float] = (best / best.sum(axis=0)).mean(axis=1).tolist()
    return shares


def _result(
    name: str, own: np.ndarray[tuple[int, ...], np.dtype[np.intp]], won: float
) -> dict[str, str | float]:
    from station.strategy.forward.trials import mean_of

    mean = mean_of(own)
    return {
        "player": name, "mean": mean.mean, "error": mean.error, "deviation": float(own.std(ddof=1)),
        "least": int(own.min()), "most": int(own.max()), "won": won,
        "median": float(sorted(own.tolist())[len(own) // 2]),
    }  # fmt: skip


def _bars(own: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> tuple[list[int], list[int]]:
    """The scores in steps: where each begins, and how many are in it."""
    import numpy as np

    step = max(-(-int(own.max() - own.min() + 1) // BARS), 1)
    edges = np.arange(int(own.min()), int(own.max()) + step + 1, step)
    counts, _ = np.histogram(own, edges)
    return edges[:-1].tolist(), counts.tolist()


def _drawn(scores: list[np.ndarray[tuple[int, ...], np.dtype[np.intp]]]) -> str:
    """The distribution of each player's scores as lines of an SVG picture."""
    wide, high = PICTURE_WH
    low, top = min(int(own.min()) for own in scores), max(int(own.max()) for own in scores)
    most = max(max(_bars(own)[1]) / len(own) for own in scores)

    def place(points: float, share: float) -> str:
        x = MARGIN + (wide - 2 * MARGIN) * (points - low) / max(top - low, 1)
        return f"{x:.1f},{high - MARGIN - (high - 2 * MARGIN) * share / most:.1f}"

    lines = []
    for number, own in enumerate(scores):
        starts, counts = _bars(own)
        path = " ".join(place(start, count / len(own)) for start, count in zip(starts, counts, strict=True))
        lines.append(f'<polyline fill="none" stroke="hsl({number * 137 % 360},70%,40%)" points="{path}"/>')
    ends = f'<text x="{MARGIN}" y="{high - 10}">{low}</text>'
    ends += f'<text x="{wide - MARGIN}" y="{high - 10}">{top}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" stroke-width="2">'
        + "".join(lines) + ends + "</svg>\n"
    )  # fmt: skip
