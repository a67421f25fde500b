"""One small pure unit per way to score five dice."""

from station.rules.scoring.base import Score, Scoring
from station.rules.scoring.choice import Choice
from station.rules.scoring.full_house import FullHouse
from station.rules.scoring.number import Number
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.straight import AceStraight, Exactly, Run
from station.rules.scoring.two_pairs import TwoPairs
from station.rules.scoring.yacht import Yacht

__all__ = [
    "AceStraight",
    "Choice",
    "Exactly",
    "FullHouse",
    "Number",
    "OfAKind",
    "Run",
    "Score",
    "Scoring",
    "TwoPairs",
    "Yacht",
]
