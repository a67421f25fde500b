"""Settings of computer players at this station."""

from typing import Annotated, Literal

from pydantic import Field

from station.config.group import Group


class Computer(Group):
    """Computer players."""

    dice: Annotated[
        Literal["thrown", "simulated"],
        Field(title="Dice", description="thrown: people throw for them; simulated: the station draws them."),
    ] = "thrown"
    by_itself: Annotated[
        bool,
        Field(title="By itself", description="Whether their decisions are carried out unasked."),
    ] = False
    pause_s: Annotated[
        float,
        Field(
            ge=0.2,
            le=60,
            title="Pause",
            description="By itself, after so long, for people to read it.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 3.0


class ComputerSettings(Group):
    """Their group of the settings file."""

    computer: Annotated[Computer, Field(title="Computer players")] = Computer()
