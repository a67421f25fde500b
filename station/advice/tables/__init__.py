"""The values of all sheets of every built-in rule set (`python -m station.advice.tables` works them out)."""

from importlib.resources import files

from station.strategy.model import Model


def shipped(model: Model) -> bytes | None:
    """The table that ships for a game, packed; None if there is none. Other labels share the same table."""
    file = files(__name__) / f"{model.fingerprint}.values"
    return file.read_bytes() if file.is_file() else None
