"""The board of many tables."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from messages.errors import BadInputError
from station.config.group import Group


def _database(url: str) -> str:
    """Check the URL of a PostgreSQL server, as its own programs write it, without a password."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"postgresql", "postgres"} and parts.password is None
    except ValueError:
        good = False
    if not good:
        raise BadInputError("config/no-database")
    return url


class BoardSettings(Group):
    """The board of `yacht board`: many tables, one evening."""

    title: Annotated[
        str, Field(min_length=1, max_length=60, title="Title", description="What its pages are called.")
    ] = "Yacht"
    port: Annotated[
        int, Field(ge=0, le=65535, title="Port", description="Of its pages; 0 takes any free one.")
    ] = 8090
    viewers_max: Annotated[
        int, Field(ge=1, le=1000, title="Screens", description="How many may follow the board at once.")
    ] = 200
    database: Annotated[
        Annotated[str, AfterValidator(_database)] | None,
        Field(title="Database", description="Address of a PostgreSQL; left out, a file in the data folder."),
    ] = None
    database_password_file: Annotated[
        Path | None, Field(title="Password file", description="Holds the database's password alone.")
    ] = None
