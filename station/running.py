"""The part of a feature that runs beside the table: threads, and lines to others."""

from collections.abc import Sequence
from dataclasses import dataclass

from station.advice.advisor import Advisor
from station.camera.moments import Moments
from station.game.at_table import AtTable
from station.game.log.state import State
from station.integrations.extra import Integration
from station.store.event_log import EventLog
from station.table.table import Table


@dataclass(frozen=True, slots=True)
class FeatureParts:
    """The parts of the station that a feature may use."""

    table: Table
    advisor: Advisor
    moments: Moments


class Running:
    """The running part of one feature; made before the table. Methods it does not need keep these defaults.

    at_table: what the feature knows at the table, where that is not as usual. log: where events go, if not to
    the own store.
    """

    at_table: AtTable | None = None
    log: EventLog | None = None

    def join(self, parts: FeatureParts) -> Sequence[Integration]:
        """The table is there, and what else it may need; gives what runs as long as the station."""
        del parts
        return ()

    def thrown(self, state: State) -> None:
        """A throw was confirmed that the camera here saw. state: after it."""

    def picture(self, name: str, slot: int) -> bytes | None:
        """The picture of a die, as a JPEG, where it has one of that name."""
        del name, slot
        return None

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """Come to an end; nobody waits for it."""
