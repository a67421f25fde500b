"""What all groups of settings have in common."""

from pydantic import BaseModel, ConfigDict


class Group(BaseModel):
    """Settings are values; an unknown key is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")
