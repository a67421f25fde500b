"""One small pure unit for each way to score dice.

A pattern is found by lying here: a module of this folder with a subclass of `Scoring`. House rules, what is
told about boxes and the table in docs/house-rules.md follow from what it says about itself.
"""

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pathlib import Path

from station.rules.scoring.base import BoxScore, Scoring

__all__ = ["PATTERNS", "BoxScore", "Scoring"]


def _found() -> Iterator[type[Scoring]]:
    for file in Path(__file__).parent.glob("[!_]*.py"):
        module = import_module(f"{__name__}.{file.stem}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Scoring) and not isabstract(value):
                yield value


PATTERNS = tuple(sorted(set(_found()), key=lambda pattern: (-len(pattern.variants), pattern.__name__)))
"""Every pattern; those that serve the most categories of house rules come first."""
