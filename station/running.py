"""What a feature runs in a station beside the table: threads, and lines to others."""

from dataclasses import dataclass

from station.advice.advisor import Advisor
from station.game.at_table import AtTable
from station.table.table import Table


@dataclass(frozen=True, slots=True)
class Parts:
    """What it is given of the station."""

    table: Table
    advisor: Advisor


class Running:
    """Of one feature in one station; made before the table. What it has nothing to do with stays as here.

    at_table: what the feature knows at the table, where that is not as usual.
    """

    at_table: AtTable | None = None

    def join(self, parts: Parts) -> None:
        """The table is there, and what else it may need."""

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """Come to an end; nobody waits for it."""
