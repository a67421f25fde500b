"""What the walks of `tests.table.walks` begin with: games of all kinds, people of all kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Evening:
    """What a walk begins with. start: the fields of `start_game`; bodies: so many colours of dice.

    hands: people touch the dice more often than they ask for anything. house: the text of its house rules.
    """

    start: Mapping[str, Any]
    bodies: int = 1
    tracked: bool = False
    aside: bool = False
    drawn: bool = False
    simulated: bool = False
    guests: tuple[str, ...] = ()
    hands: bool = False
    house: str = ""


TWO, THREE = ["Ana", "Ben"], ["Ana", "Ben", "Cléo"]
TEAM = [{"name": "Reds", "members": ["Zoë", "Ben"]}, {"name": "Hal", "computer": 50}]
AHEAD = [{"name": "Ana", "handicap": 12}, "Ben"]
APART = ["Ana", {"name": "Ben", "home": "north", "without_tray": True}]
APART_TRAY = ["Ana", {"name": "Ben", "home": "north"}]
MONEY = {"per_point": "0.05", "big_general": "5", "currency": "€"}

SHORT = """\
id = "short"
title = "Kürze"
throws = 2
first_die = "lowest"
[bonus]
threshold = 6
points = 7
counts = "filled"
[further_yachts]
joker = "forced"
points = 20
[[box]]
category = "sixes"
label = "Sixes"
[[box]]
category = "full-house"
label = "House"
points = 25
five_of_a_kind = false
[[box]]
category = "yacht"
label = "Yacht"
points = 50
"""
COLUMNS = """\
id = "columns"
title = "Columns"
throws = 3
[[column]]
id = "up"
label = "Up"
order = "up"
factor = 2
[[column]]
id = "named"
label = "Named"
announced = true
[bonus]
boxes = "all"
par = [20, 15]
each = 2
[[box]]
category = "choice"
label = "Choice"
[[box]]
category = "odd"
label = "Odd"
points = "matching"
"""
AT_ONCE = """\
id = "at-once"
title = "At once"
throws = 2
simultaneous = true
[bonus]
boxes = "all"
each_box = 4
counts = "end"
[[box]]
category = "choice"
label = "Choice"
[[box]]
category = "low"
label = "Low"
points = "sum"
served = 5
"""
WINS = """\
id = "wins"
title = "Wins"
throws = 2
first_throw_wins = true
[[box]]
category = "straight"
label = "Straight"
points = 20
first_throw_points = 25
[[box]]
category = "choice"
label = "Choice"
after = "straight"
"""
SAVED = """\
id = "saved"
title = "Saved"
throws = 3
saved_throws = true
count_only = "bonus"
[[bonus]]
boxes = ["pair"]
steps = [[2, -3], [8, 4]]
[[bonus]]
boxes = "all"
complete = true
points = 9
[[box]]
category = "pair"
label = "Pair"
points = "matching"
[[box]]
category = "choice"
label = "Choice"
optional = true
"""
"""Games of few boxes, of which several come to their end in a walk."""

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
    "short": Evening({"players": TWO, "rules": "short", "starter": "throw"}, house=SHORT),
    "short-alone": Evening({"players": ["Ana"], "rules": "short"}, house=SHORT),
    "short-columns": Evening({"players": ["Ana"], "rules": "columns"}, house=COLUMNS),
    "short-at-once": Evening({"players": TWO, "rules": "at-once"}, 5, house=AT_ONCE),
    "short-wins": Evening({"players": THREE, "rules": "wins", "stakes": MONEY}, house=WINS),
    "short-saved": Evening({"players": TWO, "rules": "saved"}, house=SAVED, simulated=True),
    "short-apart": Evening({"players": APART_TRAY, "rules": "short"}, house=SHORT, guests=("north",)),
    "short-apart-drawn": Evening({"players": APART, "rules": "wins"}, house=WINS, guests=("north",)),
    "short-computer": Evening(
        {"players": [{"name": "Hal", "computer": 50}, AHEAD[0]], "rules": "short"}, drawn=True, house=SHORT
    ),
    "hands-together": Evening({"players": TWO, "rules": "shared-roll"}, 7, hands=True),
}
