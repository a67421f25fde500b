"""A game looked back at: the luck of every throw, and what every decision gave away, in points."""

from dataclasses import dataclass

from station.contract.view import Text
from station.rules.dice import Dice


@dataclass(frozen=True, slots=True)
class ThrowReview:
    """The dice as they lay after one throw, and its luck in points."""

    dice: Dice
    luck: float


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be done with dice: hold some and throw the others, or fill boxes.

    hold: the dice that are held; null where boxes are filled. boxes: these boxes. groups: the five dice that
    each gets, where ten are divided. announced: the box that the turn is given to before it goes on, if any.
    """

    hold: Dice | None
    boxes: tuple[str, ...] = ()
    groups: tuple[Dice, ...] = ()
    announced: str = ""


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """A decision after a throw (from 1): the dice it was about, and what it gave away (0 or more), in points.

    `best` is what would have been best; the first of several. saved: what the best box, where it was filled,
    was better by than the one with the most points; else 0.
    """

    throw: int
    dice: Dice
    cost: float
    done: Choice
    best: Choice
    saved: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn looked back at: luck by throw, cost by decision."""

    throws: tuple[ThrowReview, ...]
    decisions: tuple[DecisionReview, ...]


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's game: `luck - given_away == score + still_to_come - expected`.

    seat: from 0. expected: what the best play brings on average. still_to_come: what it would have brought to
    the boxes that stayed open; 0 for a full sheet.
    """

    seat: int
    name: str
    expected: float
    score: int
    still_to_come: float
    luck: float
    given_away: float
    turns: tuple[TurnReview, ...]


@dataclass(frozen=True, slots=True)
class DearDecision:
    """A decision that gave away much, in a sentence. turn: the player's, from 1; throw: after which one."""

    seat: int
    turn: int
    throw: int
    cost: float
    words: Text


@dataclass(frozen=True, slots=True)
class GoodDecision:
    """The decision that was better than the obvious one by most, in a sentence; as DearDecision."""

    seat: int
    turn: int
    throw: int
    saved: float
    words: Text


@dataclass(frozen=True, slots=True)
class LuckyThrow:
    """The luckiest throw of a game, in points beyond what could be expected; as DearDecision."""

    seat: int
    turn: int
    throw: int
    dice: Dice
    luck: float
    words: Text


@dataclass(frozen=True, slots=True)
class GameReview:
    """Luck and skill of a finished game: players, three dearest decisions, the best one, the luckiest throw.

    curve: the chances to win, one for each seat, before the first turn and after every one; empty where they
    are not known, and curve_message says why. A player whose turns cannot be followed is left out.
    """

    game: int
    players: tuple[PlayerReview, ...]
    dearest: tuple[DearDecision, ...]
    best: GoodDecision | None = None
    luckiest: LuckyThrow | None = None
    curve: tuple[tuple[float, ...], ...] = ()
    curve_message: Text = ""
