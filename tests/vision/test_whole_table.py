"""The whole table, for any reader that is a command."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import __main__ as bench
from bench.reader import LabelledPicture
from bench.whole import by_command, measure, page, table

OTHER = """
import json, sys
dice, paths = int(sys.argv[2]), sys.argv[3:]
for path in paths:
    if "silent" not in path:
        faces = [1, 2, 3][:dice]
        status = "no idea" if "dim" in path else "ready"
        reasons = ["dark"] * ("dim" in path)
        print(json.dumps({"file": path, "status": status, "faces": faces, "reasons": reasons}))
"""


def _pictures(folder: Path) -> list[LabelledPicture]:
    names = ("good", "bad", "dim", "silent")
    for name in names:
        cv2.imwrite(str(folder / f"{name}.png"), np.zeros((8, 8, 3), np.uint8))
    truth = {"bad": (4, 4)}
    return [LabelledPicture(folder / f"{n}.png", "drawn", truth.get(n, (1, 2)), readable=True) for n in names]


def test_another_reader_is_judged_by_what_it_prints(tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(OTHER)
    counts, lines = measure(_pictures(tmp_path), by_command(f"{sys.executable} {other}"))
    count = counts["drawn"]
    assert (count.right, count.wrong, count.unsure) == (1, 1, 2)
    assert (sum(count.fewer), sum(count.more)) == (2, 2)
    assert "| drawn | 4 | 1 (25.0%) | 1 | 2 | 2 of 4 | 2 of 4 | | |" in table(counts)
    told = page(lines)
    assert "| drawn | bad.png | 4-4 | 1-2 | **ready** |" in told
    assert "| drawn | dim.png | 1-2 | 1-2 | dark |" in told
    assert "| drawn | silent.png | 1-2 | none | nothing said |" in told
    assert "| drawn | good.png | 1-2 | 1 | **ready**, 1 expected |" in told
    assert "| drawn | good.png | 1-2 | 1-2-3 | **ready**, 3 expected |" in told
    assert "| drawn | good.png | 1-2 | 1-2 |" not in told


def test_anybody_can_measure_a_reader_on_photographs_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for picture in _pictures(tmp_path):
        assert picture.path.exists()
    (tmp_path / "manifest.csv").write_text("file,faces\ngood.png,1-2\nbad.png,4-4\n")
    other = tmp_path / "other.py"
    other.write_text(OTHER)
    command = f"{sys.executable} {other}"
    monkeypatch.setattr(sys, "argv", ["bench", "reader", "--reader", command, "--photographs", str(tmp_path)])
    bench.main()
    told = capsys.readouterr().out
    assert f"| {tmp_path.name} | 2 | 1 (50.0%) | 1 | 0 | 2 of 2 | 2 of 2 | | |" in told
    assert "| **all** | 2 | 1 (50.0%) | 1 | 0 |" in told
    # one wrong of two: Clopper and Pearson's table says 0.9747
    assert "at most 97.47% are read surely but wrongly" in told


@pytest.mark.parametrize(
    ("command", "told"),
    [("no-such-reader-here", "cannot be run"), (f"{sys.executable} -c print(5)", "is no reading")],
)
def test_a_command_that_is_no_reader_is_told_so(tmp_path: Path, command: str, told: str) -> None:
    with pytest.raises(SystemExit, match=told):
        by_command(command)([tmp_path / "good.png"], 2)


def test_options_are_for_sections_that_take_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "page", "--reader", "x"])
    with pytest.raises(SystemExit, match="'page' takes no options"):
        bench.main()
