"""The rule sets that come with the station; what each says is in the document named as its source.

Where the documents leave a hole, the decision is listed in docs/house-rules.md.
"""

from dataclasses import replace

from station.rules.ruleset import Bonus, Box, Joker, RuleSet
from station.rules.scoring import (
    AceStraight,
    Choice,
    Exactly,
    FullHouse,
    Number,
    OfAKind,
    Run,
    Scoring,
    TwoPairs,
)
from station.rules.scoring import Yacht as FiveAlike

_FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
_LITTLE = Exactly((1, 2, 3, 4, 5), 30)
_BIG = Exactly((2, 3, 4, 5, 6), 30)
_FOUR_DICE = OfAKind(4, matching_only=True)
_UPPER_BONUS = Bonus(63, 35)


def _upper(*labels: str) -> tuple[Box, ...]:
    """The six boxes of the faces, under these labels, from ones to sixes."""
    return tuple(
        Box(category, label, Number(face))
        for face, (category, label) in enumerate(zip(_FACES, labels, strict=True), start=1)
    )


def _lower(*rows: tuple[str, str, Scoring]) -> tuple[Box, ...]:
    """The other boxes, each as category, label, scoring."""
    return tuple(Box(*row) for row in rows)


_YACHT_1938 = RuleSet(
    id="yacht-1938",
    title="Yacht as played in 1938: twelve boxes, no bonus",
    source="Wikipedia (document 001; 000 pages 2, 7 and 8), after Wood and Goddard, 1938",
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("full-house", "Full House", FullHouse()),
        ("four-of-a-kind", "Four-Of-A-Kind", _FOUR_DICE),
        ("little-straight", "Little Straight", _LITTLE),
        ("big-straight", "Big Straight", _BIG),
        ("choice", "Choice", Choice()),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_TREASUREHOUSE = replace(
    _YACHT_1938,
    id="treasurehouse",
    title="Yacht of Family Games Treasurehouse: as in 1938, two or more players",
    source="Family Games Treasurehouse (document 000 page 3); straights 30, implied by its best score, 297",
    boxes=tuple(
        replace(box, label="Four of a Kind") if box.category == "four-of-a-kind" else box
        for box in _YACHT_1938.boxes
    ),
    players=(2, 8),
    starts="each player throws one die; the lowest starts, then clockwise",
)

_YACHT_SPRUCE = RuleSet(
    id="yacht-spruce",
    title="Yacht of The Spruce Crafts: four of a kind counts all five dice",
    source="The Spruce Crafts, E. Arneson (document 000 page 1)",
    boxes=_lower(
        ("yacht", "Yacht", FiveAlike(50)),
        ("big-straight", "Large Straight", _BIG),
        ("little-straight", "Small Straight", _LITTLE),
        ("four-of-a-kind", "Four of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse()),
        ("choice", "Player's Choice", Choice()),
    )
    + _upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")[::-1],
)

_DICE_PLAY_YAHTZEE = RuleSet(
    id="dice-play-yahtzee",
    title="Yahtzee as dice-play.com tells it: Yacht with a bonus and longer straights",
    source="dice-play.com, 'Variations: Yahtzee', read literally (document 000 page 2)",
    bonus=_UPPER_BONUS,
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("small-straight", "Little Straight", Run(4, 30)),
        ("large-straight", "Big Straight", Run(5, 40)),
        ("full-house", "Full House", FullHouse()),
        ("four-of-a-kind", "Four of a Kind", _FOUR_DICE),
        ("choice", "Chance", Choice()),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_GENERAL = RuleSet(
    id="general",
    title="General: a first throw counts more, and five alike in it win the game",
    source="dice-play.com, 'General' (document 000 page 2)",
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("straight", "Straight", AceStraight(20, first_throw=25)),
        ("full-house", "Full House", FullHouse(30, first_throw=35)),
        ("four-of-a-kind", "Four-of-a-kind", OfAKind(4, points=40, first_throw=45)),
        ("general", "General", FiveAlike(60)),
    ),
    first_throw_yacht_wins=True,
)

_GENERAL_CHANCE = replace(
    _GENERAL,
    id="general-chance",
    title="General with Chance: the literal reading with eleven boxes",
    source="dice-play.com, 'General', keeping the Chance of Yacht (document 000 page 2)",
    boxes=(*_GENERAL.boxes[:-1], Box("choice", "Chance", Choice()), _GENERAL.boxes[-1]),
)

_DOUBLE_CAMEROON = RuleSet(
    id="double-cameroon",
    title="Double Cameroon: ten dice, two boxes a turn, five rounds",
    source="dice-play.com, 'Double Cameroon' (document 000 page 2)",
    dice=10,
    boxes_per_turn=2,
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("full-house", "Full House", FullHouse()),
        ("little-straight", "Little Cameroon", Exactly((1, 2, 3, 4, 5), 21)),
        ("big-straight", "Big Cameroon", _BIG),
        ("five-of-a-kind", "Five-of-a-kind", FiveAlike(50)),
    ),
)

_GAME_RULES_GURU = RuleSet(
    id="game-rules-guru",
    title="Yacht of Game Rules Guru: thirteen boxes, further yachts are wild and bring 100",
    source="Game Rules Guru (document 000 page 5)",
    bonus=_UPPER_BONUS,
    players=(2, 8),
    starts="each player rolls; the highest roll starts, then to the left",
    joker=Joker.WILD,
    extra_yacht=100,
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _lower(
        ("three-of-a-kind", "3 of a kind", OfAKind(3)),
        ("four-of-a-kind", "4 of a kind", OfAKind(4)),
        ("full-house", "Full house", FullHouse(25)),
        ("small-straight", "Small straight", Run(4, 30)),
        ("large-straight", "Large straight", Run(5, 40)),
        ("yacht", "Yacht", FiveAlike(50)),
        ("choice", "Chance", Choice()),
    ),
)

_SHARED_ROLL = RuleSet(
    id="shared-roll",
    title="Shared-roll Yacht: all players use the same throws, at the same time",
    source="instructions of a computer game for several players (document 002)",
    bonus=_UPPER_BONUS,
    simultaneous=True,
    starts="all play at the same time",
    boxes=_upper("1s", "2s", "3s", "4s", "5s", "6s")
    + _lower(
        ("choice", "Choice", Choice()),
        ("small-straight", "Small Straight", Run(4, 30)),
        ("large-straight", "Large Straight", Run(5, 40)),
        ("full-house", "Full house", FullHouse(25, yacht_counts=True)),
        ("three-of-a-kind", "Three of a Kind", OfAKind(3)),
        ("four-of-a-kind", "Four of a Kind", OfAKind(4)),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_COOLMATH = RuleSet(
    id="coolmath",
    title="Yacht of Coolmath: thirteen boxes in turns",
    source="Coolmath, gbateson99 (document 000 page 6); lower boxes, not printed there, as in shared-roll",
    bonus=_UPPER_BONUS,
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("three-of-a-kind", "Three of a Kind", OfAKind(3)),
        ("four-of-a-kind", "Four of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse(25, yacht_counts=True)),
        ("small-straight", "Small Straight", Run(4, 30)),
        ("large-straight", "Large Straight", Run(5, 40)),
        ("yacht", "Yacht", FiveAlike(50)),
        ("choice", "Chance", Choice()),
    ),
)

_WORLD_51 = RuleSet(
    id="world-51",
    title="Yacht of World Game Encyclopedia 51: bonus, and five alike are a full house",
    source="World Game Encyclopedia 51 (document 004)",
    bonus=_UPPER_BONUS,
    players=(1, 4),
    starts="players take turns in order",
    boxes=_upper("Ace", "Deuce", "Trey", "Four", "Five", "Six")
    + _lower(
        ("choice", "Choice", Choice()),
        ("four-of-a-kind", "Four of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse(yacht_counts=True)),
        ("small-straight", "S. Straight", Run(4, 15)),
        ("large-straight", "B. Straight", Run(5, 30)),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_CLUBHOUSE_51 = RuleSet(
    id="clubhouse-51",
    title="Yacht of Clubhouse Games 51: for two, five alike are no full house",
    source="GameFAQs, Clubhouse Games: 51 Worldwide Classics (document 000 page 9)",
    bonus=_UPPER_BONUS,
    players=(1, 2),
    boxes=_upper("Aces", "Deuces", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("choice", "Choice", Choice()),
        ("four-of-a-kind", "4 of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse()),
        ("small-straight", "Small Straight", Run(4, 15)),
        ("large-straight", "Large Straight", Run(5, 30)),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_SCORECARD = RuleSet(
    id="scorecard",
    title="Yacht of the printed scorecard: a scorekeeper announces and writes",
    source="a printed scorecard (document 003); exactly 63 in the upper section earns the bonus",
    bonus=_UPPER_BONUS,
    starts="the players decide the order",
    boxes=_upper("Aces", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("choice", "Choice", Choice()),
        ("four-of-a-kind", "4 of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse()),
        ("small-straight", "S. Straight", Run(4, 15)),
        ("large-straight", "L. Straight", Run(5, 30)),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_LAWN = RuleSet(
    id="lawn",
    title="Lawn Yacht: big dice on the grass, no bonus",
    source="a fragment (end of document 000); the rest as in scorecard, small straight 15",
    boxes=_SCORECARD.boxes[:9]
    + _lower(
        ("small-straight", "Small Straight", Run(4, 15)),
        ("large-straight", "Large Straight", Run(5, 30)),
        ("yacht", "Yacht", FiveAlike(50)),
    ),
)

_YAHTZEE = RuleSet(
    id="yahtzee",
    title="Yahtzee: thirteen boxes, bonus, further ones bring 100 and are forced jokers",
    source="the well-known rules",
    bonus=_UPPER_BONUS,
    starts="each player rolls; the highest total starts, then to the left",
    joker=Joker.FORCED,
    extra_yacht=100,
    boxes=_upper("Aces", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("three-of-a-kind", "3 of a Kind", OfAKind(3)),
        ("four-of-a-kind", "4 of a Kind", OfAKind(4)),
        ("full-house", "Full House", FullHouse(25)),
        ("small-straight", "Small Straight", Run(4, 30)),
        ("large-straight", "Large Straight", Run(5, 40)),
        ("yacht", "Yahtzee", FiveAlike(50)),
        ("choice", "Chance", Choice()),
    ),
)

_YATZY = RuleSet(
    id="yatzy",
    title="Yatzy: the Scandinavian game with fifteen boxes",
    source="the well-known rules",
    bonus=Bonus(63, 50),
    boxes=_upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    + _lower(
        ("pair", "One Pair", OfAKind(2, matching_only=True)),
        ("two-pairs", "Two Pairs", TwoPairs()),
        ("three-of-a-kind", "Three of a Kind", OfAKind(3, matching_only=True)),
        ("four-of-a-kind", "Four of a Kind", _FOUR_DICE),
        ("little-straight", "Small Straight", Exactly((1, 2, 3, 4, 5), 15)),
        ("big-straight", "Large Straight", Exactly((2, 3, 4, 5, 6), 20)),
        ("full-house", "Full House", FullHouse()),
        ("choice", "Chance", Choice()),
        ("yacht", "Yatzy", FiveAlike(50)),
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
