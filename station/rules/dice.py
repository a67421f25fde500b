"""Dice as the rules see them: a group of faces, in any order."""

from collections.abc import Iterable, Sequence

from messages.errors import BadInputError

Dice = tuple[int, ...]
"""Faces 1..6 of the dice on the table; the order says nothing."""

FACES = (1, 2, 3, 4, 5, 6)
DICE_MAX = 10
ALIKE = 5
"""Number of equal faces that make a yacht, also with more dice."""


def checked(dice: Iterable[int], *counts: int) -> Dice:
    """The dice as a sorted tuple, once it is sure that they are dice.

    Raises BadInputError for a face outside 1..6 or a number of dice that is none of `counts`.

    >>> checked([6, 2, 2, 4, 1], 5)
    (1, 2, 2, 4, 6)
    """
    faces = tuple(dice)
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or face not in FACES:
            raise BadInputError("rules/no-face", code="input/bad", face=repr(face))
    if len(faces) not in counts:
        raise BadInputError("rules/dice-count", code="input/bad", count=len(faces), wanted=counts)
    return tuple(sorted(faces))


def is_yacht(dice: Dice) -> bool:
    """Whether all dice show the same face.

    >>> is_yacht((4, 4, 4, 4, 4)), is_yacht((4, 4, 4, 4, 1))
    (True, False)
    """
    return len(set(dice)) == 1


def newly_alike(faces: Sequence[int], before: Sequence[int]) -> int | None:
    """The face that five or more dice show and did not show before.

    >>> newly_alike((4, 4, 4, 4, 4), (4, 4, 4, 2, 1)), newly_alike((4, 4, 4, 4, 4), (4, 4, 4, 4, 4))
    (4, None)
    """
    return next((face for face in FACES if faces.count(face) >= ALIKE > before.count(face)), None)


def longest_run(dice: Dice) -> Dice:
    """The longest row of faces that follow each other; of two equally long ones the higher.

    >>> longest_run((1, 3, 4, 5, 6))
    (3, 4, 5, 6)
    """
    best: Dice = ()
    for low in FACES:
        high = low
        while high in dice:
            high += 1
        if high - low >= max(len(best), 1):
            best = tuple(range(low, high))
    return best


def dashed(dice: Iterable[int]) -> str:
    """Dice as people write them.

    >>> dashed((5, 5, 2))
    '5-5-2'
    """
    return "-".join(str(face) for face in dice)
