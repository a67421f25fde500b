"""What an extra is given of a table."""

from pathlib import Path
from typing import Any

from station.integrations.extra import Parts
from station.table.table import Table


def parts(table: Table, **others: Any) -> Parts:
    """Of a table alone there is nothing to be told later, and no picture."""
    given = {"subscribe": table.subscribe, "outbox": None, "press": table.press, "picture": lambda: None}
    named = {"station": "kitchen", "language": "en", "data": Path()}
    return Parts(**{**given, **named, **others})
