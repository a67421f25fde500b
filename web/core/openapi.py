"""The description of the API, derived from its addresses and their models: it cannot lag behind."""

from functools import lru_cache
from importlib.metadata import version
from typing import Any

from flask import Flask
from pydantic import BaseModel, Field

from web.core import endpoints
from web.core.endpoints import Json


class ErrorDetail(BaseModel):
    """What went wrong."""

    code: str = Field(description="Stable, of the form room/what.")
    message: str = Field(description="A sentence for people, in the language of the screen.")
    values: dict[str, Any] = Field(default={}, description="What the sentence names, if anything.")


class ErrorShape(BaseModel):
    """Every error of this API."""

    error: ErrorDetail


@lru_cache(maxsize=1)
def describe(app: Flask) -> Json:
    """The OpenAPI 3.1 document."""
    paths, schemas = endpoints.describe(app, ErrorShape)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Yacht Station",
            "version": version("yacht-station"),
            "description": "Real dice on the table, one live score sheet for the whole room.",
        },
        "servers": [{"url": endpoints.PREFIX}],
        "paths": paths,
        "components": {"schemas": schemas},
    }
