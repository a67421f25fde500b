"""Dice with other numbers of sides: told from dice with six, which the other networks take them for."""

import json

import numpy as np
import pytest

from simulator.cases import example
from vision.inference import networks
from vision.inference.polyhedron_network import are_polyhedra

DICE = ("mixed set", "cocked on the rim", "wood and pearl", "from the table", "two-tone", "small dice")
BESIDE = (0.0, 0.35)
"""Shares of an edge that a place lies beside the die it means."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(DICE[0], marks=pytest.mark.thorough),
        *(pytest.param(each, marks=pytest.mark.slow) for each in DICE[1:]),
    ],
)
def test_a_die_with_six_sides_is_none(case: str) -> None:
    made = example(case, 91_002)
    x, y, edge = np.array([(*die.center, die.size) for die in made.dice], np.float32).T
    for aside in BESIDE:
        for larger in (0.8, 1.0, 1.4):
            places = x + aside * edge, y - aside * edge, larger * edge
            assert not are_polyhedra(made.image, *(np.asarray(each, np.float32) for each in places)).any()


def test_no_place_is_none() -> None:
    nowhere = np.zeros(0, np.float32)
    assert are_polyhedra(np.zeros((40, 60, 3), np.uint8), nowhere, nowhere, nowhere).shape == (0,)


def test_opencv_computes_what_was_trained() -> None:
    stored = json.loads((networks.MODELS / "polyhedra.json").read_text(encoding="utf-8"))["check"]
    shown = np.random.default_rng(stored["seed"]).normal(0, 1, stored["shape"]).astype(np.float32)
    told = networks.run_network(networks.load_model("polyhedra"), shown)[:, 0]
    assert np.abs(told - stored["answer"]).max() < 1e-3
