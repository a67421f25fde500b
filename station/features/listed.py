"""Ways of playing and aids that stand beside the game, each in a folder of its own.

A feature is taken away with its folder and its line here. Its words lie in its folder, too, in `words/`.
"""

from pathlib import Path

from messages import catalogue
from station.features.all_at_once.feature import AllAtOnceFeature
from station.features.announced_boxes.feature import AnnouncedBoxesFeature
from station.features.computer_players.feature import ComputerPlayersFeature
from station.features.dice_keeper.feature import DiceKeeperFeature
from station.features.great_throws.feature import GreatThrowsFeature
from station.features.handicaps.feature import HandicapsFeature
from station.features.news.feature import NewsFeature
from station.features.stakes.feature import StakesFeature
from station.features.teams.feature import TeamsFeature
from station.features.throw_off.feature import ThrowOffFeature
from station.features.two_boxes.feature import TwoBoxesFeature
from station.features.two_homes.feature import TwoHomesFeature
from station.game.feature import Feature

FEATURES: tuple[Feature, ...] = (
    AllAtOnceFeature(),
    ComputerPlayersFeature(),
    TeamsFeature(),
    TwoHomesFeature(),
    HandicapsFeature(),
    StakesFeature(),
    TwoBoxesFeature(),
    AnnouncedBoxesFeature(),
    DiceKeeperFeature(),
    GreatThrowsFeature(),
    NewsFeature(),
    ThrowOffFeature(),
)
"""All of them, in the order in which the log has what a seat is begun with."""

GAME_OPTIONS = tuple(option for feature in FEATURES for option in feature.game_options)
SEAT_OPTIONS = tuple(option for feature in FEATURES for option in feature.seat_options)

for folder in sorted(Path(__file__).parent.glob("*/words")):
    catalogue.add(folder)
