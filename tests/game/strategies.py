"""Commands of all kinds, sensible and not, for the property tests."""

from hypothesis import strategies as st

from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    Choose,
    Command,
    CorrectBox,
    CorrectDie,
    EndGame,
    EnterRoll,
    Rematch,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.game.slots import Seen
from station.game.tray import Sight

RULES = ("yacht-1938", "world-51", "yahtzee", "general", "double-cameroon")
NAMES = ("Ana", "Ben", "Cleo", "Dana", "ana", "", "x" * 30)
CATEGORIES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "full-house", "four-of-a-kind", "choice", "yacht"),
    *("little-straight", "big-straight", "straight", "general", "five-of-a-kind", "joker"),
)

slots = st.integers(0, 11)
face = st.integers(1, 6)


def roll(count: int) -> st.SearchStrategy[Command]:
    """Typed rolls; often all the same, so that wild yachts and the big general come up."""
    same = face.map(lambda value: EnterRoll((value,) * count))
    return same | st.lists(face, min_size=count, max_size=count).map(lambda faces: EnterRoll(tuple(faces)))


def commands() -> st.SearchStrategy[Command]:
    """Any command."""
    return st.one_of(
        st.builds(
            StartGame,
            st.none() | st.lists(st.sampled_from(NAMES), max_size=9).map(tuple),
            st.none() | st.sampled_from(RULES),
        ),
        st.builds(AddPlayer, st.sampled_from(NAMES)),
        st.builds(AcceptRoll, st.booleans()),
        roll(5),
        roll(10),
        st.builds(CorrectDie, slots, face),
        st.builds(SetHeld, st.lists(slots, max_size=6).map(tuple)),
        st.builds(
            ScoreBox, st.sampled_from(CATEGORIES), st.just(()) | st.lists(slots, max_size=6).map(tuple)
        ),
        st.builds(
            CorrectBox,
            st.integers(-1, 4),
            st.sampled_from(CATEGORIES),
            st.lists(face, min_size=5, max_size=5).map(tuple),
            st.none() | st.sampled_from(CATEGORIES),
        ),
        st.sampled_from((Choose(), Undo(), EndGame(), Rematch())),
    )


def sights() -> st.SearchStrategy[Sight]:
    """What the camera might show."""
    die = st.builds(Seen, face, st.integers(0, 9).map(lambda x: x * 100.0), st.just(50.0), st.just(60.0))
    dice = st.lists(die, min_size=4, max_size=10, unique_by=lambda one: one.x)
    status = st.sampled_from(("ready", "ready", "unsure", "moving", "covered", "empty"))
    return st.builds(lambda s, d: Sight(s, (), tuple(sorted(d, key=lambda one: one.x))), status, dice)
