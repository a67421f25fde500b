"""The table of a station, with the hand that throws where the tray is simulated, and what features run."""

import random
import threading
from collections.abc import Callable, Sequence

from simulator.thrower import SimulatedHand
from station.camera.opened_camera import OpenedCamera
from station.config import Config
from station.features.listed import FEATURES
from station.game.log.state import State
from station.kept_games import KeptGames
from station.running import Running
from station.table.play import Habits, Listeners
from station.table.table import Table


def running_features(config: Config, kept: KeptGames) -> Sequence[Running]:
    """The running parts of the features in a station with these settings."""
    found = (feature.run(config, kept.store) for feature in FEATURES)
    return tuple(each for each in found if each is not None)


def open_table(
    config: Config,
    opened: OpenedCamera,
    kept: KeptGames,
    running: Sequence[Running],
    *,
    confirmed: Callable[[State], None],
    unseen: Callable[[State], None],
    corrected: Callable[[float, float, int], None],
    next_confirms: Callable[[], bool],
) -> tuple[Table, bool]:
    """The table, and whether the log of its games is the own store. See `Listeners` and `Habits`."""
    rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
    tray = opened.tray
    elsewhere = next((each.log for each in running if each.log is not None), None)
    table = Table(
        elsewhere or kept.store,
        thrower=None if tray is None else SimulatedHand(tray, rng, opened.profiles.current),
        house_rules=kept.rule_texts,
        apart=lambda step: threading.Thread(target=step, name="seen", daemon=True).start(),
        at_table=[each.at_table for each in running if each.at_table is not None],
        habits=Habits(
            held_aside=config.held_dice == "aside",
            unmoved_held=config.game.held == "unmoved",
            next_confirms=next_confirms,
            asks_before_zero=config.ask_before_zero,
        ),
        listeners=Listeners(confirmed=confirmed, unseen=unseen, corrected=corrected),
    )
    table.play.hand.seen = lambda: opened.simulated is not None
    return table, elsewhere is None
