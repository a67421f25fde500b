"""The log of a game: every event as JSON and as a line of text, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messages.errors import BadInputError
from station.game import notation
from station.game.events import (
    OF_THE_GAME,
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameEnded,
    GameStarted,
    HeldSet,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    RollAccepted,
    RollKept,
    Undone,
    from_json,
)
from station.game.log.slots import Die, Seen
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event
from tests.wording import in_words

DIE = Seen(5, 10.26, 20.64, 60.08, "white", 3)
LEFT = (Seen(0, 10.0, 20.0, 60.0), Seen(0, 30.0, 40.0, 60.0, "red", 7))

LINES: list[tuple[str, Event]] = [
    ('start 3 2 yacht-1938 "Ana" "Ben"', GameStarted(3, 2, "yacht-1938", ("Ana", "Ben"))),
    ('start 1 0 ours "with" "Ána" with "a = \\"b\\""', GameStarted(1, 0, "ours", ("with", "Ána"), 'a = "b"')),
    ('start 1 0 lawn "Ana" "Ben" first 1', GameStarted(1, 0, "lawn", ("Ana", "Ben"), first=1)),
    ('join "Zoë"', PlayerAdded("Zoë")),
    ('join "Cleo \\"the shark\\""', PlayerAdded('Cleo "the shark"')),
    ('rename 2 "Æsa"', PlayerRenamed(2, "Æsa")),
    ("remove 1", PlayerRemoved(1)),
    ("move 0 2", PlayerMoved(0, 2)),
    ("keep", RollKept()),
    ("roll 6 1", RollAccepted((Die(1, 6), Die(2, 1)))),
    ("typed 6 1", RollAccepted((Die(1, 6), Die(2, 1)), typed=True)),
    ("correct 3 6", DieCorrected(3, 6)),
    ("hold 2 4", HeldSet((2, 4))),
    ("hold", HeldSet(())),
    ("hold 1 2 5 unmoved 2 5", HeldSet((1, 2, 5), (2, 5))),
    ("drawn 6 1", RollAccepted((Die(1, 6), Die(2, 1)), typed=True, drawn=True)),
    ("choose", ChoosingBegun()),
    ("box sixes", BoxScored("sixes")),
    ("take sixes", BoxScored("sixes", at_once=True)),
    ("box sixes 1 3 5 7 9", BoxScored("sixes", (1, 3, 5, 7, 9))),
    ("rescore fours fours 1 4 4 4 2 3 2", BoxCorrected(1, "fours", (4, 4, 4, 2, 3), 2)),
    ("rescore fours ones 0 4 4 1 2 3 3", BoxCorrected(0, "fours", (4, 4, 1, 2, 3), 3, "ones")),
    ("end", GameEnded()),
    ("end nobody", GameEnded(winners=())),
    ("end 0 2", GameEnded(winners=(0, 2))),
    ("undo", Undone()),
]  # fmt: skip


def test_every_kind_of_event_has_its_line():
    assert {type(event) for _, event in LINES} >= set(OF_THE_GAME)


@pytest.mark.parametrize(("line", "event"), LINES)
def test_an_event_is_a_line_and_back(line, event):
    is_line_and_back(line, event)


@given(st.lists(st.sampled_from([event for _, event in LINES])))
def test_a_transcript_is_read_as_it_was_written(events):
    assert notation.read(notation.write(events)) == tuple(events)


def test_empty_lines_and_remarks_do_not_count():
    text = "# the game\n\nroll 1 2 # said Ana\n   \nchoose#d\n"
    with pytest.raises(BadInputError, match="Line 5 is no event of a game: 'choose#d'"):
        notation.read(text)
    assert notation.read(text.replace("choose#d", "choose # d")) == (
        RollAccepted((Die(1, 1), Die(2, 2))),
        ChoosingBegun(),
    )


@pytest.mark.parametrize(
    "line",
    [
        "dance", "roll a b", "correct 1", "correct 1 2 3", "box", "start", "start 1 0", "undo twice",
        'start 1 0 lawn "Ana" first', 'start 1 0 lawn "Ana" second 1',
        'join "Ana" "Ben"', "join", "join Ana", "rename 1", 'rename "Ana" 1', "remove", "remove 1 2",
        "move 1", "move 1 2 3", "keep it", "choose me", "end me", "rescore fours", "hold a", "box ones a",
        "hold 1 2 unmoved", "hold 1 unmoved 2", "take",
    ],
)  # fmt: skip
def test_a_line_that_is_no_event_is_named(line):
    is_no_event(line)


# -- as JSON -----------------------------------------------------------------------------------------

PLACED: list[Event] = [
    GameStarted(3, 2, "ours", ("Ana",), "text", LEFT, rolling=True, starter="throw"),
    PlayerRemoved(1, LEFT, rolling=True),
    RollKept(LEFT, rolling=True),
    RollAccepted((Die(1, 6, Seen(6, 10.0, 20.0, 60.0, "white", 3)), Die(2, 1)), typed=True),
    BoxScored("sixes", (), LEFT, rolling=True),
    GameEnded(LEFT, rolling=True),
]


@pytest.mark.parametrize("event", [*(event for _, event in LINES), *PLACED])
def test_an_event_is_json_and_back(event):
    is_json_and_back(event)


def test_the_json_of_old_logs_is_still_read():
    """What version 0.1.0 wrote: these bodies lie in the databases of families."""
    assert from_json(
        {"kind": "game_started", "game": 1, "previous": 0, "rules": "lawn", "players": ["Ana"]}
    ) == (GameStarted(1, 0, "lawn", ("Ana",)))
    assert from_json({"kind": "box_scored", "category": "ones"}) == BoxScored("ones")
    die = [2, 5, [5, 10.0, 20.0, 60.0, "white", None]]
    assert from_json({"kind": "roll_accepted", "dice": [die]}) == RollAccepted(
        (Die(2, 5, Seen(5, 10.0, 20.0, 60.0, "white")),)
    )
    assert RollAccepted((Die(2, 5, DIE), Die(3, 1))).to_json() == {
        "kind": "roll_accepted",
        "dice": [[2, 5, [5, 10.3, 20.6, 60.1, "white", 3]], [3, 1, None]],
        "typed": False,
    }
    assert BoxScored("ones", (1, 2), LEFT[1:], rolling=True).to_json() == {
        "kind": "box_scored",
        "category": "ones",
        "slots": [1, 2],
        "left": [[0, 30.0, 40.0, 60.0, "red", 7]],
        "rolling": True,
    }


def test_fields_of_later_versions_are_left_out():
    assert from_json({"kind": "held_set", "slots": [2], "mood": "good"}) == HeldSet((2,))


@pytest.mark.parametrize("body", [{"kind": "dance"}, {}, {"kind": ["held_set"]}])
def test_an_event_nobody_knows_is_said(body):
    with pytest.raises(BadInputError) as caught:
        from_json(body)
    kind = body.get("kind")
    assert in_words(caught.value.message) == (
        f"the log holds an event '{kind}' that this version does not know"
    )
    assert caught.value.code == "event/unknown"


def test_what_is_no_table_of_json_is_no_event():
    with pytest.raises(BadInputError, match="does not know"):
        from_json([1])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"kind": "held_set"}, "(slots: Field required)"),
        ({"kind": "roll_accepted"}, "(dice: Field required)"),
        ({"kind": "roll_accepted", "dice": [[1]]}, "(dice.0.face: Field required)"),
        ({"kind": "roll_accepted", "dice": [[1, 7, None]]}, "less than or equal to 6"),
        ({"kind": "roll_accepted", "dice": [[1, 6, None], [2, 0, None]]}, "greater than or equal to 1"),
        ({"kind": "die_corrected", "slot": 1}, "(face: Field required)"),
        ({"kind": "game_ended", "left": [[1, 2]]}, "(left.0.y: Field required)"),
        (
            {"kind": "game_ended", "left": [[float("inf"), 0, 0, 0, "", None]]},
            "(left.0.face: ",
        ),
    ],
)
def test_an_event_that_is_not_whole_is_said(body, why):
    with pytest.raises(BadInputError) as caught:
        from_json(body)
    told = in_words(caught.value.message)
    assert told.startswith(f"the event {body!r} is incomplete (")
    assert why in told
    assert caught.value.code == "event/bad"
