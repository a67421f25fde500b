"""What is still needed beside the held dice, against throwing all of it out."""

from itertools import product

import pytest

from station.rules import Entry, Sheet, built_in, parse_rules
from station.rules.needs import need

YACHT = built_in("yacht-1938")


def by_hand(wanted: tuple[int, ...], rolls: int) -> float:
    """The chance that all of `wanted` come, each kept as soon as it is there: every sequence of throws."""
    ways = list(product(range(1, 7), repeat=len(wanted) * rolls))
    hits = 0
    for way in ways:
        left = list(wanted)
        for roll in range(rolls):
            for face in way[roll * len(wanted) :][: len(left)]:
                if face in left:
                    left.remove(face)
        hits += not left
    return hits / len(ways)


@pytest.mark.parametrize(
    ("held", "rolls", "faces"),
    [
        ((5, 5, 5, 5), 2, (5,)),
        ((2, 3, 4, 5), 2, (1, 6)),
        ((1, 1, 6, 6), 1, (6,)),
        ((3, 3, 3), 2, (3, 3)),
    ],
)
def test_what_is_needed(held: tuple[int, ...], rolls: int, faces: tuple[int, ...]):
    found = need(YACHT, Sheet(), held, rolls)
    assert found is not None
    together = 5 - len(held) > 1
    assert (found.faces, found.together) == (faces, together)
    expected = by_hand(faces, rolls) if together else 1 - (1 - len(faces) / 6) ** rolls
    assert found.chance == pytest.approx(expected)


HOUSE = (
    'id = "h"\ntitle = "H"\nthrows = 3\n[[box]]\ncategory = "ones"\nlabel = "Ones"\n[[box]]\nlabel = "Box"\n'
)


@pytest.mark.parametrize("held", [(5, 5, 5, 5), (5, 5, 5)])
def test_nobody_waits_for_what_costs_points(held: tuple[int, ...]):
    rules = parse_rules(f'{HOUSE}category = "choice"\nfactor = -2\n')
    assert need(rules, Sheet(), held, 1) is None


def test_a_single_point_is_waited_for():
    rules = parse_rules(f'{HOUSE}category = "yacht"\npoints = 1\n')
    assert need(rules, Sheet(), (5, 5, 5, 5), 1).faces == (5,)


def test_nothing_in_particular_is_needed():
    filled = Sheet(tuple(Entry(box, 0) for box in YACHT.categories if box not in ("ones", "choice")))
    assert need(YACHT, filled, (5, 5, 5, 5), 2) is None  # no open box asks for it
    assert need(YACHT, Sheet(), (2, 3, 4), 2) is None  # several pairs of dice would do
    assert need(YACHT, Sheet(), (5, 5), 2) is None  # too far away
    assert need(YACHT, Sheet(), (5, 5, 5, 5), 0) is None
    assert need(built_in("double-cameroon"), Sheet(), (5,) * 9, 1) is None


@pytest.mark.parametrize(("points", "faces"), [(0, None), (50, (5,))])
def test_nobody_waits_for_a_box_whose_turn_never_comes(points: int, faces: tuple[int, ...] | None):
    """A double Generala brings nothing once the Generala is a 0."""
    text = f'{HOUSE}category = "double"\npattern = "yacht"\npoints = 100\nafter = "yacht"\n'
    yacht = '[[box]]\ncategory = "yacht"\nlabel = "Yacht"\npoints = 50\n'
    rules = parse_rules(text.replace("[[box]]\nlabel", f"{yacht}[[box]]\nlabel"))
    found = need(rules, Sheet((Entry("yacht", points),)), (5, 5, 5, 5), 2)
    assert (found and found.faces) == faces
