"""The result of one check of the station, for the page of health and `yacht doctor`."""

from dataclasses import dataclass
from enum import StrEnum

from messages.catalogue import text
from messages.message import Message


class Level(StrEnum):
    """Levels from best to worst."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One result: what was checked, its level, and a sentence with what to do. id: stable, like "disk"."""

    id: str
    status: Level
    message: Message | str

    @property
    def name(self) -> Message:
        """The name of the check, in words."""
        return Message(f"health/{self.id}/name")

    def to_json(self, language: str) -> dict[str, str]:
        """The JSON of the page and of `yacht doctor --json`, in that language."""
        name, message = text(self.name, language), text(self.message, language)
        return {"id": self.id, "name": name, "status": self.status.value, "message": message}
