"""Plays for BG Stats: the file that the app shares, by command and by the page of the history."""

import json
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from click.testing import CliRunner
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from station.cli import yacht
from station.table.table import Table
from tests.asking import do
from tests.store.helpers import Store
from tests.web.helpers import Stage

When = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")]


class Told(BaseModel):
    """By what the app's own files have, and other programs that write them: every key is one of theirs."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


class Known(Told):
    id: Annotated[int, Field(ge=1)]
    uuid: UUID
    name: Annotated[str, Field(min_length=1)]


class Player(Known):
    is_anonymous: Literal[False]


class Game(Known):
    bgg_id: int
    highest_wins: Literal[True]
    no_points: Literal[False]
    cooperative: Literal[False]
    uses_teams: Literal[False]


class Score(Told):
    player_ref_id: int
    score: Annotated[str, Field(pattern=r"^-?\d+$")]
    winner: bool
    new_player: bool
    start_player: bool
    rank: int
    seat_order: int


class Play(Told):
    uuid: UUID
    game_ref_id: int
    play_date: When
    play_date_ymd: int
    entry_date: When
    modification_date: When
    duration_min: int
    ignored: bool
    manual_winner: bool
    rounds: int
    uses_teams: bool
    player_scores: Annotated[tuple[Score, ...], Field(min_length=1)]


class Me(Told):
    me_ref_id: int


class PlayFile(Told):
    about: Annotated[str, Field(pattern="^This is a Play file that can be read by Board Game Stats")]
    players: tuple[Player, ...]
    locations: tuple[()]
    games: tuple[Game, ...]
    plays: tuple[Play, ...]
    user_info: Me


def read(text: str) -> list[tuple[str, dict[str, tuple[str, bool]], UUID]]:
    """Title, players with score and whether they won, and the id of each play."""
    found = PlayFile.model_validate(json.loads(text))
    games = {each.id: each.name for each in found.games}
    people = {each.id: each.name for each in found.players}
    for kind in (found.games, found.players, found.plays):
        assert len({each.uuid for each in kind}) == len(kind)
    for play in found.plays:
        assert datetime.fromisoformat(play.play_date).strftime("%Y%m%d") == str(play.play_date_ymd)
    return [
        (
            games[play.game_ref_id],
            {people[each.player_ref_id]: (each.score, each.winner) for each in play.player_scores},
            play.uuid,
        )
        for play in found.plays
    ]


def test_finished_games_are_plays_with_the_same_id_each_time(tmp_path: Path):
    with closing(Store(tmp_path)) as store, closing(Table(store)) as table:
        for winners in ([0], [0, 1], []):
            do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
            do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
            do(table, {"command": "score_box", "category": "yacht"})
            do(table, {"command": "end_game", "winners": winners})
        answer = Stage(archive=store).client.get("/history/games.bgsplay")
    assert 'filename="yacht-games.bgsplay"' in answer.headers["Content-Disposition"]
    first, second = read(answer.text)  # one that was ended early, and that nobody has won, is no play
    assert first[1] == {"Ana": ("50", True), "Ben": ("0", False)}
    assert second[1] == {"Ana": ("50", True), "Ben": ("0", True)}
    done = CliRunner().invoke(yacht, ["export", "--data", str(tmp_path), "--format", "bgstats"])
    assert read(done.output) == [first, second]
    assert first[0].startswith("Yacht")
