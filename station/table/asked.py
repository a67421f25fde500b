"""What is asked of the table itself, and is no step of the game."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from station.contract.command import Command

if TYPE_CHECKING:
    from station.table.play import Play


class TableCommand(Command):
    """What the buttons or a simulated hand do."""

    @abstractmethod
    def carry_out(self, play: "Play") -> None:
        """Do it. Raises RefusalError; then nothing has changed."""
