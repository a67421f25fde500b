"""The base class of all groups of settings."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from messages.errors import BadInputError


class Group(BaseModel):
    """Settings are values; an unknown key is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise BadInputError("config/no-station", name=name)
    return name


Name = Annotated[str, AfterValidator(_name)]
"""A name that can stand in topics, and in names of Home Assistant."""
