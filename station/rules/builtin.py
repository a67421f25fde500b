"""The rule sets that come with the station; what each says is in the document named as its source.

Where the documents leave a hole, the decision is listed in docs/decisions/rule-sets.md.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from messages.message import Message
from station.rules.ruleset import Bonus, Box, Counts, FirstDie, Joker, RuleSet
from station.rules.scoring import Scoring
from station.rules.scoring.choice import Choice
from station.rules.scoring.full_house import FullHouse
from station.rules.scoring.groups import Groups
from station.rules.scoring.number import Number
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.straight import AceStraight, Exactly, Run
from station.rules.scoring.yacht import Yacht

_LITTLE = Exactly((1, 2, 3, 4, 5), points=30)
_BIG = Exactly((2, 3, 4, 5, 6), points=30)
_FOUR_DICE = OfAKind(4, matching_only=True)
_UPPER_BONUS = (Bonus(((63, 35),)),)
_UPPER_BONUS_WHEN_FILLED = (Bonus(((63, 35),), counts=Counts.FILLED),)


def _label(name: str) -> Message:
    return Message(f"label/{name}")


def _named(rules_id: str) -> dict[str, Any]:
    """A rule set's id, with its title and its source in the catalogues."""
    return {"id": rules_id, "title": Message(f"title/{rules_id}"), "source": Message(f"source/{rules_id}")}


def _upper(*labels: str) -> tuple[Box, ...]:
    """The six boxes of the faces, from ones to sixes, under these labels or their own names."""
    return tuple(
        Box(category, _label(label), Number(face))
        for face, (category, label) in enumerate(
            zip(Number.variants, labels or Number.variants, strict=True), 1
        )
    )


def _lower(*rows: tuple[str, str, Scoring]) -> tuple[Box, ...]:
    """The other boxes, each as category, label, scoring."""
    return tuple(Box(category, _label(label), scoring) for category, label, scoring in rows)


def _relabelled(boxes: tuple[Box, ...], labels: Mapping[str, str]) -> tuple[Box, ...]:
    """The same boxes, some of them under other labels."""
    names = {box.category: _label(labels[box.category]) for box in boxes if box.category in labels}
    return tuple(replace(box, label=names.get(box.category, box.label)) for box in boxes)


_LOWER_51 = _lower(
    ("choice", "choice", Choice()),
    ("four-of-a-kind", "4-of-a-kind", OfAKind(4)),
    ("full-house", "full-house", FullHouse()),
    ("small-straight", "small-straight", Run(4, points=15)),
    ("large-straight", "large-straight", Run(5, points=30)),
    ("yacht", "yacht", Yacht(points=50)),
)
_LOWER_THIRTEEN = _lower(
    ("three-of-a-kind", "3-of-a-kind", OfAKind(3)),
    ("four-of-a-kind", "4-of-a-kind", OfAKind(4)),
    ("full-house", "full-house", FullHouse(points=25)),
    ("small-straight", "small-straight", Run(4, points=30)),
    ("large-straight", "large-straight", Run(5, points=40)),
    ("yacht", "yahtzee", Yacht(points=50)),
    ("choice", "chance", Choice()),
)


_YACHT_1938 = RuleSet(
    **_named("yacht-1938"),
    boxes=_upper()
    + _lower(
        ("full-house", "full-house", FullHouse()),
        ("four-of-a-kind", "four-of-a-kind-1938", _FOUR_DICE),
        ("little-straight", "little-straight", _LITTLE),
        ("big-straight", "big-straight", _BIG),
        ("choice", "choice", Choice()),
        ("yacht", "yacht", Yacht(points=50)),
    ),
)

_TREASUREHOUSE = replace(
    _YACHT_1938,
    **_named("treasurehouse"),
    boxes=_relabelled(_YACHT_1938.boxes, {"four-of-a-kind": "four-of-a-kind"}),
    players=(2, 12),
    starts=Message("starts/lowest-die"),
    first_die=FirstDie.LOWEST,
)

_YACHT_SPRUCE = RuleSet(
    **_named("yacht-spruce"),
    boxes=_lower(
        ("yacht", "yacht", Yacht(points=50)),
        ("big-straight", "large-straight", _BIG),
        ("little-straight", "small-straight", _LITTLE),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse()),
        ("choice", "players-choice", Choice()),
    )
    + _upper()[::-1],
)

_DICE_PLAY_YAHTZEE = RuleSet(
    **_named("dice-play-yahtzee"),
    bonuses=(Bonus(((63, 35),), counts=Counts.END),),
    boxes=_upper()
    + _lower(
        ("small-straight", "little-straight", Run(4, points=30)),
        ("large-straight", "big-straight", Run(5, points=40)),
        ("full-house", "full-house", FullHouse()),
        ("four-of-a-kind", "four-of-a-kind", _FOUR_DICE),
        ("choice", "chance", Choice()),
        ("yacht", "yacht", Yacht(points=50)),
    ),
)

_GENERAL = RuleSet(
    **_named("general"),
    boxes=_upper()
    + _lower(
        ("straight", "straight", AceStraight(points=20, first_throw=25)),
        ("full-house", "full-house", FullHouse(points=30, first_throw=35)),
        ("four-of-a-kind", "four-of-a-kind-general", OfAKind(4, points=40, first_throw=45)),
        ("general", "general", Yacht(points=60)),
    ),
    first_throw_yacht_wins=True,
)

_GENERAL_CHANCE = replace(
    _GENERAL,
    **_named("general-chance"),
    boxes=(*_GENERAL.boxes[:-1], Box("choice", _label("chance"), Choice()), _GENERAL.boxes[-1]),
)

_DOUBLE_CAMEROON = RuleSet(
    **_named("double-cameroon"),
    dice=10,
    boxes_per_turn=2,
    boxes=_upper()
    + _lower(
        ("full-house", "full-house", FullHouse()),
        ("little-straight", "little-cameroon", Exactly((1, 2, 3, 4, 5), points=21)),
        ("big-straight", "big-cameroon", _BIG),
        ("five-of-a-kind", "five-of-a-kind", Yacht(points=50)),
    ),
)

_GAME_RULES_GURU = RuleSet(
    **_named("game-rules-guru"),
    bonuses=_UPPER_BONUS,
    players=(2, 12),
    starts=Message("starts/highest-roll"),
    first_die=FirstDie.HIGHEST,
    joker=Joker.WILD,
    extra_yacht=100,
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _relabelled(
        _LOWER_THIRTEEN,
        {
            "three-of-a-kind": "3-of-a-kind-plain",
            "four-of-a-kind": "4-of-a-kind-plain",
            "full-house": "full-house-plain",
            "small-straight": "small-straight-plain",
            "large-straight": "large-straight-plain",
            "yacht": "yacht",
        },
    ),
)

_SHARED_ROLL = RuleSet(
    **_named("shared-roll"),
    bonuses=_UPPER_BONUS_WHEN_FILLED,
    simultaneous=True,
    starts=Message("starts/all"),
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _lower(
        ("choice", "choice", Choice()),
        ("small-straight", "small-straight", Run(4, points=30)),
        ("large-straight", "large-straight", Run(5, points=40)),
        ("full-house", "full-house-plain", FullHouse(points=25, five_of_a_kind=True)),
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3)),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("yacht", "yacht", Yacht(points=50)),
    ),
)

_COOLMATH = RuleSet(
    **_named("coolmath"),
    bonuses=_UPPER_BONUS,
    boxes=_upper()
    + _lower(
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3)),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse(points=25, five_of_a_kind=True)),
        ("small-straight", "small-straight", Run(4, points=30)),
        ("large-straight", "large-straight", Run(5, points=40)),
        ("yacht", "yacht", Yacht(points=50)),
        ("choice", "chance", Choice()),
    ),
)

_WORLD_51 = RuleSet(
    **_named("world-51"),
    bonuses=_UPPER_BONUS,
    players=(1, 4),
    starts=Message("starts/in-order"),
    boxes=_upper("ace", "deuce", "trey", "four", "five", "six")
    + _lower(
        ("choice", "choice", Choice()),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse(five_of_a_kind=True)),
        ("small-straight", "s-straight", Run(4, points=15)),
        ("large-straight", "b-straight", Run(5, points=30)),
        ("yacht", "yacht", Yacht(points=50)),
    ),
)

_CLUBHOUSE_51 = RuleSet(
    **_named("clubhouse-51"),
    bonuses=_UPPER_BONUS,
    players=(1, 2),
    boxes=_upper("aces", "deuces", "threes", "fours", "fives", "sixes") + _LOWER_51,
)

_SCORECARD = RuleSet(
    **_named("scorecard"),
    bonuses=_UPPER_BONUS_WHEN_FILLED,
    sums=(_label("subtotal"), _label("35-bonus")),
    starts=Message("starts/players-decide"),
    boxes=_upper("aces", "deuces", "threes", "fours", "fives", "sixes")
    + _relabelled(_LOWER_51, {"small-straight": "s-straight", "large-straight": "l-straight"}),
)

_LAWN = RuleSet(**_named("lawn"), boxes=_SCORECARD.boxes[:6] + _LOWER_51)

_YAHTZEE = RuleSet(
    **_named("yahtzee"),
    bonuses=_UPPER_BONUS,
    starts=Message("starts/highest-total"),
    first_die=FirstDie.HIGHEST,
    joker=Joker.FORCED,
    extra_yacht=100,
    boxes=_upper("aces", "twos", "threes", "fours", "fives", "sixes") + _LOWER_THIRTEEN,
)

_YATZY = RuleSet(
    **_named("yatzy"),
    bonuses=(Bonus(((63, 50),)),),
    boxes=_upper()
    + _lower(
        ("pair", "one-pair", OfAKind(2, matching_only=True)),
        ("two-pairs", "two-pairs", Groups((2, 2), matching_only=True)),
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3, matching_only=True)),
        ("four-of-a-kind", "four-of-a-kind", _FOUR_DICE),
        ("little-straight", "small-straight", Exactly((1, 2, 3, 4, 5), points=15)),
        ("big-straight", "large-straight", Exactly((2, 3, 4, 5, 6), points=20)),
        ("full-house", "full-house", FullHouse()),
        ("choice", "chance", Choice()),
        ("yacht", "yatzy", Yacht(points=50)),
    ),
)

BUILTIN: tuple[RuleSet, ...] = (
    _YACHT_1938, _TREASUREHOUSE, _YACHT_SPRUCE, _DICE_PLAY_YAHTZEE, _GENERAL, _GENERAL_CHANCE,
    _DOUBLE_CAMEROON, _GAME_RULES_GURU, _COOLMATH, _SHARED_ROLL, _WORLD_51, _CLUBHOUSE_51, _SCORECARD, _LAWN,
    _YAHTZEE, _YATZY,
)  # fmt: skip
