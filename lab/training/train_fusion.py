"""`python -m lab.training.train_fusion --shared ../shared`: fits the models of `vision/judgement/fusion.py`.

Learns from the photographs of openly licensed sources and from the renders, held-out pictures excepted. What
the second and the last models learn from is what the models before them say to pictures they were not fitted
on (three folds), so that each sees its predecessors as they are at work.

What is judged of views from above (`vision.judgement.oblique`) is learnt from scenes drawn from the table's
edge, turned as the reader turns pictures. With `--views-only` the models of other pictures stay.
"""

import argparse
import csv
import json
import logging
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training.from_above import from_above
from lab.training.scenes import Face, Scene, State, Wish, draw_scene
from vision import pips
from vision.detection import candidates, pip_search
from vision.detection.candidates import Candidates
from vision.judgement import evidence, fusion
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.judgement.fusion import Logistic
from vision.judgement.oblique import ViewFromAbove
from vision.looks import COARSE_PIXELS
from vision.picture import load
from vision.search_area import SearchArea

log = logging.getLogger("training")
Matrix = NDArray[np.float64]
OPEN = frozenset({"MIT", "BSD-3-Clause", "Apache-2.0"})
FOLDS = 3
IGNORED = -1
VIEW_SEED = 25
VIEWS = Wish(
    size_wh=(960, 720), edge_px=(20.0, 80.0), dice=(1, 8), cocked=0.06, stacked=0.04, hand=0.05,
    clutter=0.4, tilt_deg=(25.0, 60.0),
)  # fmt: skip
"""Scenes from the table's edge, from whose views from above is learnt what such views tell."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A picture's dice. dice: (face, x, y, edge) px; doubtful: the same for dice that are no lesson."""

    path: Path
    fold: int
    dice: tuple[tuple[float, ...], ...]
    doubtful: tuple[tuple[float, ...], ...] = ()


def truths(shared: Path) -> Iterator[Truth]:
    """All pictures that may be learnt from."""
    with (shared / "photos" / "manifest.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["licence"] in OPEN and row["boxes"] and not held_out(row["file"]):
                boxes = [(f, x + w / 2, y + h / 2, max(w, h)) for f, x, y, w, h in json.loads(row["boxes"])]
                yield Truth(shared / "photos" / row["file"], _fold(row["file"]), tuple(boxes))
    for labels in sorted((shared / "renders").glob("*/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            name = f"{labels.parent.name}/{label['file']}"
            if "sequence" in label or "values" not in label or held_out(name):
                continue
            dice: dict[bool, list[tuple[float, ...]]] = {True: [], False: []}
            for die in label["dice"]:
                dice[bool(die["readable"])].append((die["value"], *die["top_center"], die["edge_px"]))
            yield Truth(labels.parent / label["file"], _fold(name), tuple(dice[True]), tuple(dice[False]))


def _fold(name: str) -> int:
    return zlib.crc32(name.encode()) % FOLDS


def labelled(found: Candidates | Evidence, truth: Truth) -> NDArray[np.intp]:
    """(n,) 1 where a candidate is a die with that face, 0 where not, IGNORED on dice that are no lesson."""
    label = np.zeros(len(found), np.intp)
    for face, x, y, edge in truth.dice:
        gap = np.hypot(found.x - x, found.y - y)
        near = gap < np.where(found.face > 1, max(0.3 * edge, 4), max(0.2 * edge, 5))
        label[near & (found.face == face)] = 1
    for face, x, y, edge in truth.doubtful:
        near = np.hypot(found.x - x, found.y - y) < 0.4 * edge
        label[near & (found.face == face) & (label == 0)] = IGNORED
    return label


def fit(x: Matrix, y: NDArray[np.intp], *, ridge: float = 1.0, steps: int = 30) -> Logistic:
    """The ridge-penalised logistic model of y (n,) on x (n, k), by Newton's method."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    z = np.column_stack([(x - mean) / scale, np.ones(len(x))])
    weights = np.zeros(z.shape[1])
    penalty = np.eye(len(weights)) * ridge
    penalty[-1, -1] = 1e-3
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-np.clip(z @ weights, -30, 30)))
        gradient = z.T @ (p - y) + penalty @ weights
        weights = weights - np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + penalty, gradient)
    return Logistic(mean, scale, weights[:-1], weights[-1])


def cross(
    x: Matrix, y: NDArray[np.intp], fold: NDArray[np.intp], groups: dict[str, NDArray[np.bool_]]
) -> tuple[Matrix, dict[str, Logistic]]:
    """Log-odds of each row by a model that has not seen its fold; and the models of all rows, one a group."""
    odds = np.zeros(len(y))
    models = {}
    for name, group in groups.items():
        learn = group & (y != IGNORED)
        for k in range(FOLDS):
            rest = learn & (fold != k)
            odds[group & (fold == k)] = fit(x[rest], y[rest]).log_odds(x[group & (fold == k)])
        models[name] = fit(x[learn], y[learn])
    return odds, models


def _report(name: str, y: NDArray[np.intp], odds: Matrix, group: NDArray[np.bool_]) -> None:
    chance = 1.0 / (1.0 + np.exp(-odds))
    for least in (0.5, 0.75, 0.9, 0.99):
        sure = group & (chance >= least)
        log.info(
            "%s at %.2f: %d of %d dice, %d wrong", name, least, (y[sure] == 1).sum(), (y[group] == 1).sum(),
            (y[sure] == 0).sum(),
        )  # fmt: skip


def main() -> None:
    """Fit, report, write vision/models/fusion.npz."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, required=True, help="the folder that holds photos/ and renders/"
    )
    parser.add_argument("--scenes", type=int, default=600, help="how many are drawn from the table's edge")
    parser.add_argument("--views-only", action="store_true", help="keep what is judged of other pictures")
    args = parser.parse_args()
    if not args.views_only:
        _keep(_of_pictures(list(truths(args.shared))))
    _keep(_of_views(args.scenes))


def _keep(models: dict[str, Logistic]) -> None:
    """Write the models beside the others that are there; from now on those are asked."""
    with np.load(fusion.WEIGHTS) as stored:
        parts = dict(stored)
    for name, model in models.items():
        parts |= {f"{name}_{field.name}": np.asarray(getattr(model, field.name)) for field in fields(model)}
    np.savez(fusion.WEIGHTS, **parts)
    fusion.fitted.cache_clear()


def _of_pictures(truths: list[Truth]) -> dict[str, Logistic]:
    found = []
    for truth in truths:
        levels = pips.pyramid(load(truth.path))
        found.append(candidates.gather(levels, pip_search.Search(levels).find(_first(levels))))
    y = np.concatenate([labelled(f, t) for f, t in zip(found, truths, strict=True)])
    face = np.concatenate([f.face for f in found])
    fold = np.concatenate([np.full(len(f), t.fold) for f, t in zip(found, truths, strict=True)])
    ends = np.cumsum([0, *(len(f) for f in found)])
    groups = {"one": face == 1, "rest": face > 1}
    alone, models = cross(np.concatenate([fusion.candidate_features(f) for f in found]), y, fold, groups)
    kept = {f"alone_{name}": model for name, model in models.items()}
    x = np.concatenate(
        [fusion.context_features(f, alone[a:b]) for f, a, b in zip(found, ends, ends[1:], strict=False)]
    )
    company, models = cross(x, y, fold, groups)
    kept |= {f"company_{name}": model for name, model in models.items()}
    return kept | _last(truths, found, [company[a:b] for a, b in pairwise(ends)])


def _of_views(scenes: int) -> dict[str, Logistic]:
    """The last models for views from above; which of two faces of a die is its top its foot tells."""
    rng = np.random.default_rng(VIEW_SEED)
    gathered, labels, fold = [], [], []
    for number in range(scenes):
        scene = draw_scene(rng, VIEWS)
        turned = from_above(rng, scene)
        if turned is not None:
            seen, view = turned
            gathered.append(_evidence(scene, view))
            labels.append(_labelled_tops(gathered[-1], seen))
            fold.append(np.full(len(gathered[-1]), number % FOLDS))
    return _fitted("view", gathered, np.concatenate(labels), np.concatenate(fold))


def _evidence(scene: Scene, view: ViewFromAbove) -> Evidence:
    area = SearchArea(pips.pyramid(scene.image)).seen_otherwise(view.levels, view)
    found = candidates.gather(area.levels, area.search.find(_first(area.levels)))
    return evidence.gather_evidence(area.levels, found, fusion.classical_log_odds(found), area.bodies())


def _labelled_tops(found: Evidence, seen: Scene) -> NDArray[np.intp]:
    """`labelled` by the tops that can be read; what lies on another side, or on a thing, is no lesson.

    Which of them stand there on a foot, and are no domino, is told elsewhere.
    """
    dice = [(die.value, *die.top.center, die.top.edge_px) for die in seen.dice if die.state is State.FLAT]
    label = labelled(found, Truth(Path(), 0, tuple(dice)))
    for die in seen.dice:
        for side in (*die.sides, *(() if die.state is State.FLAT else (die.top,))):
            label[(label == 0) & _on(side, found)] = IGNORED
    for x, y, size in seen.things:
        label[(label == 0) & (np.hypot(found.x - x, found.y - y) < size)] = IGNORED
    return label


def _on(side: Face, found: Evidence) -> NDArray[np.bool_]:
    """(n,) whose middles lie on a side."""
    corners, places = side.corners.astype(np.float32), np.stack([found.x, found.y], 1).tolist()
    within = [cv2.pointPolygonTest(corners, place, measureDist=False) >= 0 for place in places]
    return np.array(within, np.bool_)


def _first(levels: tuple[NDArray[np.uint8], ...]) -> int:
    return next(k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= COARSE_PIXELS)


def _last(truths: list[Truth], found: list[Candidates], odds: list[Matrix]) -> dict[str, Logistic]:
    gathered = []
    for truth, f, o in zip(truths, found, odds, strict=True):
        levels = pips.pyramid(load(truth.path))
        gathered.append(evidence.gather_evidence(levels, f, o, evidence.proposals(levels)))
    y = np.concatenate([labelled(e, t) for e, t in zip(gathered, truths, strict=True)])
    fold = np.concatenate([np.full(len(e), t.fold) for e, t in zip(gathered, truths, strict=True)])
    return _fitted("last", gathered, y, fold)


def _fitted(
    name: str, gathered: list[Evidence], y: NDArray[np.intp], fold: NDArray[np.intp]
) -> dict[str, Logistic]:
    """A model for each kind of evidence; how good those are that have not seen a fold is logged."""
    kinds = np.concatenate([e.kind for e in gathered])
    groups = {kind.name.lower(): kinds == kind for kind in EvidenceKind}
    odds, models = cross(np.concatenate([e.features for e in gathered]), y, fold, groups)
    for kind, group in groups.items():
        _report(f"{name} {kind}", y, odds, group)
    return {f"{name}_{kind}": model for kind, model in models.items()}


if __name__ == "__main__":
    main()
