"""The games of a station: where they are stored, who copies them, and the house rules beside them."""

from collections.abc import Mapping
from pathlib import Path

from station import games
from station.config import Config
from station.data_folder import data_files
from station.rescue import Rescue
from station.store import Copier, Places, Store, wall_clock
from station.store.clock_of_run import running_s
from station.store.house_rules import RULES_FOLDER, HouseRules
from station.table.table import Table
from station.table.trial import try_to_open


class KeptGames:
    """Raises StoreError. settings: the file of settings, for copies of everything; None for none."""

    def __init__(self, config: Config, settings: Path | None) -> None:
        files = data_files(settings)
        self._places = Places(config.data, files, config.backups_kept, config.backups_second)
        self.copier = Copier(self._places, now=wall_clock)
        self.store = Store(
            config.data,
            files=files,
            finished=self.copier.ask,
            rescue=True,
            playable=try_to_open,
            passed_s=running_s,
        )
        self.house_rules = HouseRules(config.data / RULES_FOLDER)

    def rule_texts(self) -> Mapping[str, str]:
        """The texts of the games that come as rule files, and of the house rules."""
        return {**games.texts(), **self.house_rules.texts()}

    def shown_at(self, table: Table) -> Rescue:
        """House rules have changed, for its screens; gives the ways out where games cannot be stored."""
        self.house_rules.changed = table.refresh
        return Rescue(table, self.store, self._places)

    def stop(self, timeout_s: float) -> None:
        """Wait for the last copy so long, and close the store."""
        self.copier.stop(timeout_s)
        self.store.close()
