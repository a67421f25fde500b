"""Empty trays, drawn once in a process."""

from collections.abc import Callable
from copy import deepcopy
from typing import TypeVar

from simulator import backdrop, draw, paint, simulated_tray

Made = TypeVar("Made")

KEPT = 4
"""Empty trays that a process of tests keeps, of 10 to 40 MB each."""


def keep_trays(patch: Callable[[object, str, object], None]) -> None:
    """Keep empty trays that were drawn for the next ones: each gets a copy to lay its things on.

    patch: sets an attribute, as `setattr` does.
    """
    patch(draw, "make_backdrop", _kept(backdrop.make_backdrop))
    patch(simulated_tray, "Painter", _kept(paint.Painter))
    patch(simulated_tray, "_grain", _kept(simulated_tray._grain))


def _kept(make: Callable[..., Made]) -> Callable[..., Made]:
    """A function that makes a thing once for the same arguments, and returns a copy each time."""
    made: dict[str, Made] = {}

    def copied(*arguments: object) -> Made:
        key = repr(arguments)
        made[key] = made.pop(key) if key in made else make(*arguments)
        if len(made) > KEPT:
            made.pop(next(iter(made)))
        return deepcopy(made[key])

    return copied
