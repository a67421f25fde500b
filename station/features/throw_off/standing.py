"""Throwing for who starts: each throws one die, the best starts, equal ones throw again."""

from collections.abc import Sequence

from station.rules.ruleset import FirstDie


def standing(thrown: Sequence[tuple[int, ...] | None], first: FirstDie) -> tuple[int, bool]:
    """The seat that throws next, or the one that starts, and whether the start is settled.

    thrown: for each seat the faces it threw, one a round; None for who has gone. first: which die starts.

    >>> standing([(4,), (2,), ()], FirstDie.LOWEST)
    (2, False)
    >>> standing([(2,), (2,), (5,)], FirstDie.LOWEST)
    (0, False)
    >>> standing([(2, 6), (2, 3), (5,)], FirstDie.LOWEST)
    (1, True)
    """
    among = [seat for seat, faces in enumerate(thrown) if faces is not None]
    best = min if first is FirstDie.LOWEST else max
    round_ = 0
    while len(among) > 1:
        faces = {seat: thrown[seat] or () for seat in among}
        missing = [seat for seat in among if len(faces[seat]) <= round_]
        if missing:
            return missing[0], False
        winning = best(faces[seat][round_] for seat in among)
        among = [seat for seat in among if faces[seat][round_] == winning]
        round_ += 1
    return among[0], True
