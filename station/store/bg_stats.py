"""Past games as plays for BG Stats (Board Game Stats, an app that keeps plays of board games): its play file.

The makers describe a link for a single play (https://www.bgstatsapp.com/support), and no file of several.
This is the one that the app itself shares, and that other programs write for it: lists of games, players and
places with an id each, and plays that name those ids.
"""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from station.store.archive import FinishedGame

ABOUT = (
    "This is a Play file that can be read by Board Game Stats. If you see this text, try to use a share, "
    "export or open-in function to open it with Board Game Stats."
)
"""The beginning of the app's own files."""
WHEN = "%Y-%m-%d %H:%M:%S"


def play_text(games: Sequence[FinishedGame], title: Callable[[FinishedGame], str]) -> str:
    """The file. games: the latest first; what nobody finished or won is no play. title: of a game's rules."""
    played = [game for game in reversed(games) if game.took_part and (game.ended_by != "early" or game.won)]
    latest = {game.rules: game for game in played}
    rules = {each: number for number, each in enumerate(latest, 1)}
    names = {player.name for game in played for player in game.took_part}
    people = {name: number for number, name in enumerate(sorted(names, key=str.casefold), 1)}
    document = {
        "about": ABOUT,
        "players": [
            {"id": number, "uuid": _uuid("player", name), "name": name, "isAnonymous": False}
            for name, number in people.items()
        ],
        "locations": [],
        "games": [
            {
                "id": number,
                "uuid": _uuid("rules", each),
                "name": title(latest[each]),
                "bggId": 0,
                "highestWins": True,
                "noPoints": False,
                "cooperative": False,
                "usesTeams": False,
            }
            for each, number in rules.items()
        ],
        "plays": [_play(game, rules, people) for game in played],
        "userInfo": {"meRefId": 0},
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _play(game: FinishedGame, rules: dict[str, int], people: dict[str, int]) -> dict[str, Any]:
    """The same game has the same uuid each time, also after its result was set right."""
    began = game.when - timedelta(seconds=game.played_s)
    return {
        "uuid": _uuid("play", f"{game.game} {game.started_at}"),
        "gameRefId": rules[game.rules],
        "playDate": began.strftime(WHEN),
        "playDateYmd": int(began.strftime("%Y%m%d")),
        "entryDate": game.when.strftime(WHEN),
        "modificationDate": game.when.strftime(WHEN),
        "durationMin": round(game.played_s / 60),
        "ignored": False,
        "manualWinner": True,
        "rounds": 0,
        "usesTeams": False,
        "playerScores": [
            {
                "playerRefId": people[player.name],
                "score": str(player.total),
                "winner": player.won,
                "newPlayer": False,
                "startPlayer": False,
                "rank": 0,
                "seatOrder": seat,
            }
            for seat, player in enumerate(game.took_part, 1)
        ],
    }


def _uuid(kind: str, what: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"yacht-station:{kind}:{what}"))
