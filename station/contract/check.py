"""How one thing of the station is, as the page of health and `yacht doctor` say it."""

from dataclasses import dataclass
from enum import StrEnum

from messages.catalogue import text
from messages.message import Message


class Level(StrEnum):
    """How it is, from best to worst."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, how it is, and in a sentence what to do. id: stable, like "disk"."""

    id: str
    status: Level
    message: Message | str

    @property
    def name(self) -> Message:
        """The name of the check, in words."""
        return Message(f"health/{self.id}/name")

    def to_json(self, language: str) -> dict[str, str]:
        """As the page and `yacht doctor --json` give it, in that language."""
        name, message = text(self.name, language), text(self.message, language)
        return {"id": self.id, "name": name, "status": self.status.value, "message": message}
