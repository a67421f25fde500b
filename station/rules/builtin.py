"""The rule sets that come with the station; what each says is in the document named as its source.

Where the documents leave a hole, the decision is listed in docs/house-rules.md.
"""

from dataclasses import replace

from messages.message import Message
from station.rules.ruleset import Bonus, Box, FirstDie, Joker, RuleSet
from station.rules.scoring import Scoring
from station.rules.scoring.choice import Choice
from station.rules.scoring.full_house import FullHouse
from station.rules.scoring.groups import Groups
from station.rules.scoring.number import Number
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.straight import AceStraight, Exactly, Run
from station.rules.scoring.yacht import Yacht

_LITTLE = Exactly((1, 2, 3, 4, 5), 30)
_BIG = Exactly((2, 3, 4, 5, 6), 30)
_FOUR_DICE = OfAKind(4, matching_only=True)
_UPPER_BONUS = (Bonus(((63, 35),)),)


def _label(name: str) -> Message:
    return Message(f"label/{name}")


def _upper(*labels: str) -> tuple[Box, ...]:
    """The six boxes of the faces, under these labels, from ones to sixes."""
    return tuple(
        Box(category, _label(label), Number(face))
        for face, (category, label) in enumerate(zip(Number.variants, labels, strict=True), start=1)
    )


def _lower(*rows: tuple[str, str, Scoring]) -> tuple[Box, ...]:
    """The other boxes, each as category, label, scoring."""
    return tuple(Box(category, _label(label), scoring) for category, label, scoring in rows)


_YACHT_1938 = RuleSet(
    id="yacht-1938",
    title=Message("title/yacht-1938"),
    source=Message("source/yacht-1938"),
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("full-house", "full-house", FullHouse()),
        ("four-of-a-kind", "four-of-a-kind-1938", _FOUR_DICE),
        ("little-straight", "little-straight", _LITTLE),
        ("big-straight", "big-straight", _BIG),
        ("choice", "choice", Choice()),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_TREASUREHOUSE = replace(
    _YACHT_1938,
    id="treasurehouse",
    title=Message("title/treasurehouse"),
    source=Message("source/treasurehouse"),
    boxes=tuple(
        replace(box, label=_label("four-of-a-kind")) if box.category == "four-of-a-kind" else box
        for box in _YACHT_1938.boxes
    ),
    players=(2, 12),
    starts=Message("starts/lowest-die"),
    first_die=FirstDie.LOWEST,
)

_YACHT_SPRUCE = RuleSet(
    id="yacht-spruce",
    title=Message("title/yacht-spruce"),
    source=Message("source/yacht-spruce"),
    boxes=_lower(
        ("yacht", "yacht", Yacht(50)),
        ("big-straight", "large-straight", _BIG),
        ("little-straight", "small-straight", _LITTLE),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse()),
        ("choice", "players-choice", Choice()),
    )
    + _upper("ones", "twos", "threes", "fours", "fives", "sixes")[::-1],
)

_DICE_PLAY_YAHTZEE = RuleSet(
    id="dice-play-yahtzee",
    title=Message("title/dice-play-yahtzee"),
    source=Message("source/dice-play-yahtzee"),
    bonuses=_UPPER_BONUS,
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("small-straight", "little-straight", Run(4, points=30)),
        ("large-straight", "big-straight", Run(5, points=40)),
        ("full-house", "full-house", FullHouse()),
        ("four-of-a-kind", "four-of-a-kind", _FOUR_DICE),
        ("choice", "chance", Choice()),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_GENERAL = RuleSet(
    id="general",
    title=Message("title/general"),
    source=Message("source/general"),
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("straight", "straight", AceStraight(20, first_throw=25)),
        ("full-house", "full-house", FullHouse(30, first_throw=35)),
        ("four-of-a-kind", "four-of-a-kind-general", OfAKind(4, points=40, first_throw=45)),
        ("general", "general", Yacht(60)),
    ),
    first_throw_yacht_wins=True,
)

_GENERAL_CHANCE = replace(
    _GENERAL,
    id="general-chance",
    title=Message("title/general-chance"),
    source=Message("source/general-chance"),
    boxes=(*_GENERAL.boxes[:-1], Box("choice", _label("chance"), Choice()), _GENERAL.boxes[-1]),
)

_DOUBLE_CAMEROON = RuleSet(
    id="double-cameroon",
    title=Message("title/double-cameroon"),
    source=Message("source/double-cameroon"),
    dice=10,
    boxes_per_turn=2,
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("full-house", "full-house", FullHouse()),
        ("little-straight", "little-cameroon", Exactly((1, 2, 3, 4, 5), 21)),
        ("big-straight", "big-cameroon", _BIG),
        ("five-of-a-kind", "five-of-a-kind", Yacht(50)),
    ),
)

_GAME_RULES_GURU = RuleSet(
    id="game-rules-guru",
    title=Message("title/game-rules-guru"),
    source=Message("source/game-rules-guru"),
    bonuses=_UPPER_BONUS,
    players=(2, 12),
    starts=Message("starts/highest-roll"),
    first_die=FirstDie.HIGHEST,
    joker=Joker.WILD,
    extra_yacht=100,
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _lower(
        ("three-of-a-kind", "3-of-a-kind-plain", OfAKind(3)),
        ("four-of-a-kind", "4-of-a-kind-plain", OfAKind(4)),
        ("full-house", "full-house-plain", FullHouse(25)),
        ("small-straight", "small-straight-plain", Run(4, points=30)),
        ("large-straight", "large-straight-plain", Run(5, points=40)),
        ("yacht", "yacht", Yacht(50)),
        ("choice", "chance", Choice()),
    ),
)

_SHARED_ROLL = RuleSet(
    id="shared-roll",
    title=Message("title/shared-roll"),
    source=Message("source/shared-roll"),
    bonuses=_UPPER_BONUS,
    simultaneous=True,
    starts=Message("starts/all"),
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _lower(
        ("choice", "choice", Choice()),
        ("small-straight", "small-straight", Run(4, points=30)),
        ("large-straight", "large-straight", Run(5, points=40)),
        ("full-house", "full-house-plain", FullHouse(25, five_of_a_kind=True)),
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3)),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_COOLMATH = RuleSet(
    id="coolmath",
    title=Message("title/coolmath"),
    source=Message("source/coolmath"),
    bonuses=_UPPER_BONUS,
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3)),
        ("four-of-a-kind", "four-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse(25, five_of_a_kind=True)),
        ("small-straight", "small-straight", Run(4, points=30)),
        ("large-straight", "large-straight", Run(5, points=40)),
        ("yacht", "yacht", Yacht(50)),
        ("choice", "chance", Choice()),
    ),
)

_WORLD_51 = RuleSet(
    id="world-51",
    title=Message("title/world-51"),
    source=Message("source/world-51"),
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
        ("yacht", "yacht", Yacht(50)),
    ),
)

_CLUBHOUSE_51 = RuleSet(
    id="clubhouse-51",
    title=Message("title/clubhouse-51"),
    source=Message("source/clubhouse-51"),
    bonuses=_UPPER_BONUS,
    players=(1, 2),
    boxes=_upper("aces", "deuces", "threes", "fours", "fives", "sixes")
    + _lower(
        ("choice", "choice", Choice()),
        ("four-of-a-kind", "4-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse()),
        ("small-straight", "small-straight", Run(4, points=15)),
        ("large-straight", "large-straight", Run(5, points=30)),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_SCORECARD = RuleSet(
    id="scorecard",
    title=Message("title/scorecard"),
    source=Message("source/scorecard"),
    bonuses=_UPPER_BONUS,
    sums=(_label("subtotal"), _label("35-bonus")),
    starts=Message("starts/players-decide"),
    boxes=_upper("aces", "deuces", "threes", "fours", "fives", "sixes")
    + _lower(
        ("choice", "choice", Choice()),
        ("four-of-a-kind", "4-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse()),
        ("small-straight", "s-straight", Run(4, points=15)),
        ("large-straight", "l-straight", Run(5, points=30)),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_LAWN = RuleSet(
    id="lawn",
    title=Message("title/lawn"),
    source=Message("source/lawn"),
    boxes=_SCORECARD.boxes[:9]
    + _lower(
        ("small-straight", "small-straight", Run(4, points=15)),
        ("large-straight", "large-straight", Run(5, points=30)),
        ("yacht", "yacht", Yacht(50)),
    ),
)

_YAHTZEE = RuleSet(
    id="yahtzee",
    title=Message("title/yahtzee"),
    source=Message("source/yahtzee"),
    bonuses=_UPPER_BONUS,
    starts=Message("starts/highest-total"),
    first_die=FirstDie.HIGHEST,
    joker=Joker.FORCED,
    extra_yacht=100,
    boxes=_upper("aces", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("three-of-a-kind", "3-of-a-kind", OfAKind(3)),
        ("four-of-a-kind", "4-of-a-kind", OfAKind(4)),
        ("full-house", "full-house", FullHouse(25)),
        ("small-straight", "small-straight", Run(4, points=30)),
        ("large-straight", "large-straight", Run(5, points=40)),
        ("yacht", "yahtzee", Yacht(50)),
        ("choice", "chance", Choice()),
    ),
)

_YATZY = RuleSet(
    id="yatzy",
    title=Message("title/yatzy"),
    source=Message("source/yatzy"),
    bonuses=(Bonus(((63, 50),)),),
    boxes=_upper("ones", "twos", "threes", "fours", "fives", "sixes")
    + _lower(
        ("pair", "one-pair", OfAKind(2, matching_only=True)),
        ("two-pairs", "two-pairs", Groups((2, 2), matching_only=True)),
        ("three-of-a-kind", "three-of-a-kind", OfAKind(3, matching_only=True)),
        ("four-of-a-kind", "four-of-a-kind", _FOUR_DICE),
        ("little-straight", "small-straight", Exactly((1, 2, 3, 4, 5), 15)),
        ("big-straight", "large-straight", Exactly((2, 3, 4, 5, 6), 20)),
        ("full-house", "full-house", FullHouse()),
        ("choice", "chance", Choice()),
        ("yacht", "yatzy", Yacht(50)),
    ),
)

BUILTIN: tuple[RuleSet, ...] = (
    _YACHT_1938,
    _TREASUREHOUSE,
    _YACHT_SPRUCE,
    _DICE_PLAY_YAHTZEE,
    _GENERAL,
    _GENERAL_CHANCE,
    _DOUBLE_CAMEROON,
    _GAME_RULES_GURU,
    _COOLMATH,
    _SHARED_ROLL,
    _WORLD_51,
    _CLUBHOUSE_51,
    _SCORECARD,
    _LAWN,
    _YAHTZEE,
    _YATZY,
)
