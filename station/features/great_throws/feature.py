"""Great throws, as screens see them until the next step."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.features.great_throws.great_throws import GreatView, of_step
from station.game.feature import Feature, Step


@dataclass(frozen=True, slots=True)
class TablePart:
    """What screens see of it."""

    great: Annotated[
        GreatView | None, Field(description="A great throw, or the box that won, until the next step.")
    ] = None


class GreatThrowsFeature(Feature):
    """What is noted of a step."""

    table_view = TablePart
    first_noted = TablePart()

    def noted(self, step: Step, last: TablePart) -> TablePart:
        """The last great thing that its events brought about."""
        del last
        return TablePart(of_step(step))
