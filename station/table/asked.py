"""What is asked of the table itself, and is no step of the game."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from station.contract.command import Command

if TYPE_CHECKING:
    from station.table.play import Play


class TableCommand(Command):
    """What the buttons, a simulated hand or a feature does."""

    @abstractmethod
    def carry_out(self, play: "Play") -> Callable[[], None] | None:
        """Do it; gives what is left to be done once nobody is kept waiting.

        Raises RefusalError; then nothing has changed.
        """
