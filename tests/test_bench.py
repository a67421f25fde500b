"""Every section that `make bench` lists can be run: nothing it needs has gone or is called otherwise."""

import importlib
import re
import subprocess
import time

import cv2
import numpy as np
import pytest

from bench.__main__ import SECTIONS
from bench.baselines import BASELINES
from bench.drawn_camera import DrawingProcess, DrawnSource
from bench.page import Change, percentile, slowest
from tests.conftest import ROOT
from vision.reader import Reader

DEADLINE_S = 120.0


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_the_bench_is_there(section):
    assert callable(importlib.import_module(SECTIONS[section]).run)


def test_nobody_imports_the_workshop_and_benchmarks_import_no_tests():
    names = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = re.compile(r"^\s*(?:from|import) (lab|tests)\b", re.MULTILINE)
    found = {
        (name, room)
        for name in names.stdout.split()
        if not name.startswith("lab/") and (ROOT / name).exists()
        for room in imported.findall((ROOT / name).read_text(encoding="utf-8"))
        if room == "lab" or not name.startswith("tests/")
    }
    assert found == set()


@pytest.mark.parametrize(("count", "p99"), [(1, 1), (80, 80), (100, 99), (101, 100), (291, 289)])
def test_a_percentile_is_the_nearest_rank(count, p99):
    assert percentile([float(each) for each in range(count, 0, -1)], 0.99) == p99


def test_the_slowest_changes_are_told_with_their_numbers():
    changes = {7: Change("start_game", 0.0), 9: Change("enter_roll", 0.3), 10: Change("score_box", 0.6)}
    assert slowest({7: 20.0, 9: 91.4, 10: 30.0}, changes) == (
        "no. 2 enter_roll 91 ms, no. 3 score_box 30 ms, no. 1 start_game 20 ms"
    )


PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""Which of nine places, a to i, row by row, hold a pip."""


def squares(faces, *, light):
    """Faces as turned squares in a row, light with dark pips on a dark ground, or the other way round."""
    ground, body, pip = (60, 220, 30) if light else (200, 40, 230)
    picture = np.full((540, 960, 3), ground, np.uint8)
    for k, face in enumerate(faces):
        turn = np.deg2rad(17.0 * k)
        across = np.array([np.cos(turn), np.sin(turn)]) * 50
        down = np.array([-across[1], across[0]])
        middle = np.array([90 + 150 * k, 270])
        corners = [middle + i * across / 2 + j * down / 2 for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(picture, np.rint(corners).astype(int), (body,) * 3, cv2.LINE_AA)
        for place in PIPS[face]:
            row, column = divmod("abcdefghi".index(place), 3)
            at = middle + (column - 1) * across / 4 + (row - 1) * down / 4
            cv2.circle(picture, np.rint(at).astype(int), 4, (pip,) * 3, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("baseline", "light"), [("blobs", True), ("outlines", True), ("outlines", False)])
def test_a_baseline_reads_plain_squares_with_dots(baseline, light):
    assert BASELINES[baseline](squares((2, 1, 6, 3, 5, 4), light=light)) == (1, 2, 3, 4, 5, 6)


@pytest.mark.slow
def test_pictures_drawn_elsewhere_are_those_of_a_camera(tmp_path):
    drawing, source, shown = DrawingProcess(tmp_path / "frames", 15), DrawnSource(tmp_path / "frames"), []
    source.open()
    try:
        rests_s = drawing.throw()
        end_s = time.monotonic() + DEADLINE_S
        while len(shown) < 2:
            assert time.monotonic() < end_s, "no picture of dice at rest"
            picture = source.grab()
            if picture is not None and time.monotonic() > rests_s + 1.0:
                shown.append(picture)
    finally:
        source.close()
        drawing.stop()
    assert not np.array_equal(*shown)  # no two pictures of a sensor are the same
    assert len(Reader(5).read(shown[-1]).dice) == 5
