"""Great throws, as screens see them until the next step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from station.features.great_throws.great_throws import GreatView, of_step
from station.game.feature import Call, Feature, PlayedStep
from station.game.log.state import State
from station.rules.dice import newly_alike


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    great: Annotated[
        GreatView | None, Field(description="A great throw, or the box that won, until the next step.")
    ] = None


class GreatKind(StrEnum):
    """The kinds of happenings it publishes."""

    GREAT_THROW = "great_throw"


class GreatThrowsFeature(Feature):
    """The note on a step."""

    kinds = tuple(GreatKind)

    table_view = TablePart
    first_noted = TablePart()

    def noted(self, step: PlayedStep, last: TablePart) -> TablePart:
        """The last great thing that its events brought about."""
        del last
        return TablePart(of_step(step))

    def call(self, step: PlayedStep) -> Call | None:
        """It, unless it is the box that won."""
        great = of_step(step)
        return None if great is None or great.kind == "won" else Call(great.kind, great.words, great.call)

    def of_roll(self, before: State, after: State) -> Iterator[tuple[StrEnum, Mapping[str, Any]]]:
        """Five alike."""
        faces = [die.face for die in after.lying]
        if (face := newly_alike(faces, before.faces)) is not None:
            yield GreatKind.GREAT_THROW, {"throw": "yacht", "face": face, "faces": faces}
