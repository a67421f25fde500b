"""What is made of two runs on two processors, and what the emulated one needs."""

import json

import pytest

from lab.arm64.verdict import BOARDS, PER_RATED, compare, counted, estimates, load
from tests.appliance.helpers import ROOT, call

READ = {"still": "a", "status": "ready", "faces": [1, 2], "reasons": [], "dice": [{"confidence": 0.9991}]}
HINT = {"hint": "b", "holds": [["12", 10.0], ["", 9.0]], "boxes": [["ones", 1.0]]}
TASKS = [{"task": "read_s"}, {"task": "read_s"}, {"task": "again_s"}]


def test_the_same_is_the_same_in_any_order_of_equal_holds():
    turned = HINT | {"holds": [["", 9.0 + 1e-9], ["12", 10.0]]}
    found = compare([READ, HINT, *TASKS], [READ, turned, *TASKS])
    assert (found.readings, found.hints, found.other, found.slightly) == (1, 1, (), 0)


def test_another_confidence_is_a_slight_difference():
    assert compare([READ], [READ | {"dice": [{"confidence": 0.9992}]}]).slightly == 1


@pytest.mark.parametrize(
    "other",
    [
        [READ | {"faces": [1, 3]}, HINT],
        [READ | {"status": "unsure"}, HINT],
        [READ | {"reasons": ["glare"]}, HINT],
        [READ, HINT | {"holds": [["12", 10.1], ["", 9.0]]}],
        [READ, HINT | {"boxes": [["twos", 1.0]]}],
    ],
)
def test_another_verdict_is_named(other):
    assert len(compare([READ, HINT], other).other) == 1


@pytest.mark.parametrize("there", [[], [READ], [READ, HINT | {"hint": "c"}]])
def test_runs_that_tried_other_things_are_refused(there):
    with pytest.raises(ValueError, match="the same"):
        compare([READ, HINT], there)


def test_instructions_are_those_between_two_marks():
    assert counted(TASKS, [100, 150, 160, 230, 300, 303, 999]) == {"read_s": 60, "again_s": 3}
    with pytest.raises(ValueError, match="marks"):
        counted(TASKS, [100, 150, 160, 230, 300, 303])


def test_a_board_takes_what_its_rating_says():
    counts = dict.fromkeys(("read_s", "again_s", "settle_s", "hint_s"), BOARDS[0].rating * PER_RATED / 10)
    rows = [line.split(" | ") for line in estimates(counts).splitlines()]
    assert rows[3][2] == "100 ms"
    assert rows[-1][0] == "| from rest to offer, 20 pictures a second"


def test_a_run_is_a_line_for_each_thing(tmp_path):
    (tmp_path / "run").write_text(json.dumps(READ) + "\n" + json.dumps(HINT) + "\n")
    assert load(tmp_path / "run") == [READ, HINT]


def test_without_an_emulator_nothing_is_run_for_arm64():
    refused = call("/bin/sh", ROOT / "lab/arm64/emulated.sh", "/bin/true", environ={"PATH": ""})
    assert refused.returncode != 0
    assert "qemu-user-static is missing" in refused.stderr
