"""One small pure unit for each way to score dice.

Every module of this folder with a subclass of `Scoring` is discovered as a pattern. House rules, the
description of boxes and the table in docs/house-rules.md are derived from it.
"""

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pathlib import Path

from station.rules.scoring.base import BoxScore, Scoring

__all__ = ["PATTERNS", "BoxScore", "Scoring"]


def _patterns() -> Iterator[type[Scoring]]:
    for file in Path(__file__).parent.glob("[!_]*.py"):
        module = import_module(f"{__name__}.{file.stem}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Scoring) and not isabstract(value):
                yield value


PATTERNS = tuple(sorted(set(_patterns()), key=lambda pattern: (-len(pattern.variants), pattern.__name__)))
"""Every pattern; those that serve the most categories of house rules come first."""
