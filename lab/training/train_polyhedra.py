"""Teaches the network of `vision/inference/polyhedron_network.py`.

`python -m lab.training.train_polyhedra --shared ../shared --work ../pools`

Dice of every kind of picture, however they lie, against polyhedra drawn by `polyhedra.py` on pieces of the
same pictures, and some of the simulated tray. Those of the renders teach nothing: by them is measured how
well others are told.
"""

import argparse
import csv
import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bench.holdout import held_out
from lab.training import leaning_data, shelf
from lab.training.leaning_data import CUT_EDGES, CUT_PX
from lab.training.model import block, folded, halved, rounded
from lab.training.polyhedra import laid
from lab.training.pools import MAY_TRAIN
from lab.training.scenes import Scene, Wish
from lab.training.train_leaning import seen
from lab.training.tray_lessons import case_lessons, rim_lessons
from simulator.cases import example
from vision.inference.foot_network import PATCH_PX, Posture
from vision.inference.networks import MODELS, crop_square
from vision.inference.polyhedron_network import POLYHEDRA
from vision.picture import load

log = logging.getLogger("training")
Cuts = NDArray[np.uint8]

SCENES, TRAYS, DRAWN = 500, 90, 9_000
TRAYS_FIRST = 820_000
GROUNDS = 3
"""Pieces of each picture that polyhedra are laid on."""
WISHES = (
    Wish(edge_px=(14.0, 64.0), dice=(2, 7), cocked=0.2, stacked=0.08),
    Wish(edge_px=(16.0, 64.0), dice=(2, 7), cocked=0.15, tilt_deg=(25.0, 60.0)),
)
STEPS, BATCH, PEAK = 10_000, 96, 2e-3
ROUGH = 4.0
"""Where the finder proposes a die its middle and size are this much less exact than those of faces."""
SEED, LOGGED = 5, 250
CHECK = (3, 3, PATCH_PX, PATCH_PX)
WHOLE_DIE = 0.8
"""Of the box of a whole die that its top's edge has about."""


def model() -> nn.Sequential:
    """Patches (n, 3, PATCH_PX, PATCH_PX) of the leaning network to the log-odds (n, 1) of a polyhedron."""
    body = [block(3, 20, 2, 5), block(20, 32, 2), block(32, 40)]
    body += [block(40, 64, 2), block(64, 80, 2), block(80, 80)]
    head = [nn.AvgPool2d(PATCH_PX // 16), nn.Flatten(), nn.Linear(80, 32), nn.ReLU(), nn.Linear(32, 1)]
    return nn.Sequential(*body, *head)


class Lessons:
    """What is there to learn from: cuts round dice, and pieces of the same pictures to lay polyhedra on."""

    def __init__(self, shared: Path, work: Path) -> None:
        self.dice: dict[bool, list[Cuts]] = {False: [], True: []}
        self.grounds: list[Cuts] = []
        self._rng = np.random.default_rng(SEED)
        for sample in leaning_data.renders(shared / "renders"):
            if sample.lies is not Posture.NOT:
                self.dice[sample.held].append(sample.cut)
        for number, wish in enumerate(WISHES):
            path = work / f"polyhedra_{number}.npz"
            if not path.exists():
                shelf.save(shelf.draw_shard(SEED, number, SCENES, wish), path)
            self._add_scenes(shelf.load(path))
        self._add_scenes(chain(rim_lessons(SEED, TRAYS), case_lessons()))
        self._add_photographs(shared / "photos")

    def _add_scenes(self, scenes: Iterable[Scene]) -> None:
        for scene in scenes:
            self._add(scene.image, [(*die.top.center, die.top.edge_px) for die in scene.dice], held=False)

    def _add_photographs(self, folder: Path) -> None:
        with (folder / "manifest.csv").open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                if row["licence"] in MAY_TRAIN and row["boxes"]:
                    boxes = json.loads(row["boxes"])
                    places = [(x + w / 2, y + h / 2, WHOLE_DIE * max(w, h)) for _, x, y, w, h in boxes]
                    self._add(load(folder / row["file"]), places, held=held_out(row["file"]))

    def _add(self, image: Cuts, places: Sequence[tuple[float, ...]], *, held: bool) -> None:
        for x, y, edge in places:
            self.dice[held].append(crop_square(image, (x, y), edge * CUT_EDGES, CUT_PX))
        wide = (float(np.median([edge for *_, edge in places])) if places else 40.0) * CUT_EDGES
        for _ in range(0 if held else GROUNDS):
            place = (float(self._rng.uniform(0, image.shape[1])), float(self._rng.uniform(0, image.shape[0])))
            self.grounds.append(crop_square(image, place, wide, CUT_PX))


def simulated() -> Iterator[Cuts]:
    """Cuts round the d20s of simulated trays."""
    rng = np.random.default_rng(SEED)
    for seed in range(TRAYS_FIRST, TRAYS_FIRST + TRAYS):
        made = example("d20 beside", seed)
        for thing in made.scene.things:
            if thing.kind == "d20":
                ends = np.array([(*thing.at_mm, 0.4 * thing.size_mm), (*thing.at_mm, 0.0)])
                ends[1, 0] += thing.size_mm
                middle, aside = made.scene.view.project(ends)
                wide = float(np.hypot(*(aside - middle)))
                for edge in wide * rng.uniform(0.45, 1.1, 4):
                    place = (float(middle[0]), float(middle[1]))
                    yield crop_square(made.image, place, edge * CUT_EDGES, CUT_PX)


def train(of_dice: Cuts, of_polyhedra: Cuts) -> nn.Sequential:
    """A network taught by cuts (n, CUT_PX, CUT_PX, 3) of each."""
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    network = model().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), PEAK, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK, STEPS, pct_start=0.1)
    wanted = torch.cat([torch.zeros(BATCH // 2), torch.ones(BATCH // 2)])
    running = 0.0
    for step in range(STEPS):
        chosen = [
            cuts[rng.integers(len(cuts))] for cuts in (of_dice, of_polyhedra) for _ in range(BATCH // 2)
        ]
        patches = torch.from_numpy(np.stack([seen(cut, rng, ROUGH)[0] for cut in chosen]))
        logits = network(patches.contiguous(memory_format=torch.channels_last))[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        running += float(loss.detach())
        if step % LOGGED == LOGGED - 1:
            log.info("step %d, loss %.4f", step + 1, running / LOGGED)
            running = 0.0
    return network.to(memory_format=torch.contiguous_format).eval()


def odds(network: nn.Module, cuts: Cuts) -> NDArray[np.float32]:
    """(n,) log-odds of a polyhedron in the middles of cuts."""
    parts = [np.stack([seen(cut, None)[0] for cut in cuts[k : k + 256]]) for k in range(0, len(cuts), 256)]
    with torch.no_grad():
        return np.concatenate([network(torch.from_numpy(part)).numpy()[:, 0] for part in parts])


def main() -> None:
    """Draw what is missing, teach, export, and log what the network says of dice that were held out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    learnt = Lessons(args.shared, args.work)
    taught, held = (np.stack(learnt.dice[each]) for each in (False, True))
    log.info("%d cuts of dice, %d held out, %d grounds", len(taught), len(held), len(learnt.grounds))
    polyhedra = np.stack([*islice(laid(np.random.default_rng(SEED), learnt.grounds), DRAWN), *simulated()])
    log.info("%d polyhedra", len(polyhedra))
    network = rounded(folded(train(taught, polyhedra)))
    path = MODELS / f"{POLYHEDRA}.onnx"
    torch.onnx.export(
        network, (torch.zeros(1, 3, PATCH_PX, PATCH_PX),), str(path), input_names=["patch"],
        output_names=["odds"], dynamo=False,
    )  # fmt: skip
    halved(path)
    shown = np.random.default_rng(SEED).normal(0, 1, CHECK).astype(np.float32)
    with torch.no_grad():
        answer = network(torch.from_numpy(shown)).numpy()[:, 0].round(4).tolist()
    check = {"about": "the answer to noise of this seed", "seed": SEED, "shape": CHECK, "answer": answer}
    facts = {"torch": torch.__version__, "steps": STEPS, "dice": len(taught), "polyhedra": len(polyhedra)}
    facts |= {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "check": check}
    path.with_suffix(".json").write_text(json.dumps(facts), encoding="utf-8")
    for name, cuts in (("held-out dice", held), ("dice that taught", taught), ("polyhedra", polyhedra)):
        log.info("%s: log-odds at 1, 50, 99, 99.9 %% and most %s", name,
                 np.percentile(odds(network, cuts), [1, 50, 99, 99.9, 100]).round(2))  # fmt: skip


if __name__ == "__main__":
    main()
