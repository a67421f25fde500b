"""What the walks of `tests.table.walks` begin with: games of all kinds, people of all kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Evening:
    """What a walk begins with. start: the fields of `start_game`; bodies: so many colours of dice.

    hands: people touch the dice more often than they ask for anything.
    """

    start: Mapping[str, Any]
    bodies: int = 1
    tracked: bool = False
    aside: bool = False
    drawn: bool = False
    simulated: bool = False
    guests: tuple[str, ...] = ()
    hands: bool = False


TWO, THREE = ["Ana", "Ben"], ["Ana", "Ben", "Cleo"]
TEAM = [{"name": "Reds", "members": ["Ana", "Ben"]}, {"name": "Hal", "computer": 50}]
AHEAD = [{"name": "Ana", "handicap": 12}, "Ben"]
APART = ["Ana", {"name": "Ben", "home": "north", "without_tray": True}]
APART_TRAY = ["Ana", {"name": "Ben", "home": "north"}]
MONEY = {"per_point": "0.05", "big_general": "5", "currency": "€"}

EVENINGS = {
    "yacht": Evening({"players": TWO, "rules": "yacht-1938"}),
    "yacht-aside": Evening({"players": THREE, "rules": "yacht-1938", "starter": "throw"}, aside=True),
    "yacht-simulated": Evening({"players": TWO, "rules": "yacht-1938", "starter": "random"}, simulated=True),
    "treasurehouse": Evening({"players": THREE, "rules": "treasurehouse", "starter": 1}, tracked=True),
    "general": Evening({"players": THREE, "rules": "general", "stakes": MONEY}),
    "general-thrown": Evening({"players": TWO, "rules": "general", "starter": "throw", "stakes": MONEY}, 3),
    "cameroon": Evening({"players": TWO, "rules": "double-cameroon"}),
    "cameroon-drawn": Evening(
        {"players": [{"name": "Hal", "computer": "perfect"}, "Ana"], "rules": "double-cameroon"}, drawn=True
    ),
    "together": Evening({"players": THREE, "rules": "shared-roll"}, 5),
    "together-alike": Evening({"players": TWO, "rules": "shared-roll"}),
    "together-two-reds": Evening({"players": THREE, "rules": "shared-roll"}, 7, tracked=True),
    "world": Evening({"players": AHEAD, "rules": "world-51"}, 2),
    "wild": Evening({"players": TWO, "rules": "game-rules-guru", "starter": "throw"}, 6),
    "team": Evening({"players": TEAM, "rules": "yahtzee"}),
    "team-drawn": Evening({"players": TEAM, "rules": "yahtzee"}, drawn=True),
    "apart": Evening({"players": APART, "rules": "yatzy"}, guests=("north",)),
    "apart-general": Evening({"players": APART, "rules": "general", "stakes": MONEY}, guests=("north",)),
    "apart-tray": Evening({"players": APART_TRAY, "rules": "yahtzee"}, guests=("north",)),
    "yamb": Evening({"players": TWO, "rules": "yamb"}),
    "yams": Evening({"players": ["Ana"], "rules": "yams"}),
    "saved": Evening({"players": TWO, "rules": "maxi-yatzy"}, simulated=True),
    "crag": Evening({"players": THREE, "rules": "crag"}, tracked=True),
    "lobby": Evening({}),
    "hands": Evening({"players": TWO, "rules": "yacht-1938"}, hands=True),
    "hands-tracked": Evening({"players": TWO, "rules": "yahtzee"}, tracked=True, hands=True),
    "hands-aside": Evening({"players": TWO, "rules": "yacht-1938"}, 3, aside=True, hands=True),
    "hands-simulated": Evening({"players": TWO, "rules": "yacht-1938"}, simulated=True, hands=True),
    "hands-together": Evening({"players": TWO, "rules": "shared-roll"}, 7, hands=True),
}
