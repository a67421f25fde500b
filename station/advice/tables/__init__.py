"""The values of all sheets of every built-in rule set (`python -m station.advice.tables` works them out).

A file is called by its rule set; where several share a table, by the first of them.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from station.strategy.model.model import Model
from station.strategy.values.pack import HEADER_BYTES, fingerprint

SUFFIX = ".values"


def shipped(model: Model) -> bytes | None:
    """The table that ships for a game, packed; None if there is none. Other labels share the same table."""
    file = _tables().get(model.fingerprint)
    return None if file is None else file.read_bytes()


@cache
def _tables() -> dict[str, Traversable]:
    """Every table by the fingerprint in its header."""
    found = {}
    for file in files(__name__).iterdir():
        if file.name.endswith(SUFFIX):
            with file.open("rb") as header:
                found[fingerprint(header.read(HEADER_BYTES))] = file
    return found
