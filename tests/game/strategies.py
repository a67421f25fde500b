"""Commands of all kinds, sensible and not, for the property tests."""

from typing import Any

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
    KeepRoll,
    MovePlayer,
    Rematch,
    RemovePlayer,
    RenamePlayer,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.game.dice.sights import Sight
from station.game.log.slots import Seen

RULES = ("yacht-1938", "world-51", "yahtzee", "general", "double-cameroon")
NAMES = ("Ana", "Ben", "Cleo", "Dana", "ana", "", "x" * 30)
CATEGORIES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "full-house", "four-of-a-kind", "choice", "yacht"),
    *("little-straight", "big-straight", "straight", "general", "five-of-a-kind", "joker"),
)

OPTIONS = {"stakes": (None, {"per_point": "0.05", "big_general": "5", "currency": "€"})}
"""Of features, as far as they are there."""

slots = st.integers(1, 10)
face = st.integers(1, 6)


def roll(count: int) -> st.SearchStrategy[Command]:
    """Typed rolls; often all the same, so that wild yachts and the big general come up."""
    same = face.map(lambda value: EnterRoll(faces=(value,) * count))
    return same | st.lists(face, min_size=count, max_size=count).map(
        lambda faces: EnterRoll(faces=tuple(faces))
    )


def built(kind: type[Command], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Command]:
    """Commands of one kind, with the fields that a request would bring."""
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))


def commands() -> st.SearchStrategy[Command]:
    """Any command."""
    names, boxes = st.sampled_from(NAMES), st.sampled_from(CATEGORIES)
    some_slots = st.lists(slots, max_size=6).map(tuple)
    starters = st.sampled_from((None, "throw", "throw", "random", "loser", "rotate", 0, 2))
    five = st.lists(face, min_size=5, max_size=5).map(tuple)
    return st.one_of(
        built(
            StartGame,
            players=st.none() | st.lists(names, min_size=1, max_size=8).map(tuple),
            rules=st.none() | st.sampled_from(RULES),
            starter=starters,
            **{name: st.sampled_from(OPTIONS[name]) for name in OPTIONS if name in StartGame.model_fields},
        ),
        built(AddPlayer, name=names),
        built(AcceptRoll, force=st.booleans()),
        roll(1),
        roll(5),
        roll(10),
        built(CorrectDie, slot=slots, face=face),
        built(SetHeld, slots=some_slots),
        built(ScoreBox, category=boxes, slots=st.none() | some_slots, force=st.booleans()),
        built(
            CorrectBox,
            player=st.integers(0, 4),
            category=boxes,
            faces=five,
            to=st.none() | boxes,
            force=st.booleans(),
        ),
        built(RenamePlayer, player=st.integers(0, 4), name=names),
        built(RemovePlayer, player=st.integers(0, 4)),
        built(MovePlayer, player=st.integers(0, 4), to=st.integers(0, 4)),
        built(Rematch, starter=starters),
        st.sampled_from((Choose(), KeepRoll(), Undo(), EndGame())),
    )


def sights() -> st.SearchStrategy[Sight]:
    """What the camera might show."""
    die = st.builds(Seen, face, st.integers(0, 9).map(lambda x: x * 100.0), st.just(50.0), st.just(60.0))
    dice = st.lists(die, min_size=4, max_size=10, unique_by=lambda one: one.x) | st.lists(
        die, min_size=1, max_size=1
    )
    status = st.sampled_from(("ready", "ready", "unsure", "moving", "covered", "empty"))
    return st.builds(lambda s, d: Sight(s, (), tuple(sorted(d, key=lambda one: one.x))), status, dice)
