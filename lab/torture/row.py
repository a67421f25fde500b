"""What came of a trial of `make torture`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    count: how often it was tried. lost: what should have been there and was not (an answer, a press, a game).
    wrong: what was accepted and should not have been. note: figures, and the first thing that went wrong.
    """

    name: str
    count: int
    lost: int
    wrong: int
    note: str


def times(count: int, share: float) -> int:
    """How many trials make that share of all, 0-1; one at least.

    >>> times(20_000, 0.01), times(5, 0.01)
    (200, 1)
    """
    return max(1, round(count * share))
