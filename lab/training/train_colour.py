"""`python -m lab.training.train_colour --shared ../shared`: teaches `vision/inference/body_colour.py`.

Learns from the simulated tray, from the renders and from the openly licensed photographs whose list names the
colour; held-out pictures excepted, on which it is measured, as on the sources that taught nothing.
"""

import argparse
import csv
import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bench.holdout import held_out
from lab.training.pools import MAY_TRAIN
from simulator.cases import CASES, example
from vision.inference import body_colour
from vision.inference.body_colour import NAMES, ColourSamples
from vision.picture import load
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import Colour

log = logging.getLogger("training")
FIRST_SEED = 20_000
HIDDEN = 28
SURE = 0.97
RENDERED = {
    "wood": Colour.BROWN,
    "copper": Colour.BROWN,
    "pale_green": Colour.GREEN,
    "turquoise": Colour.BLUE,
}
"""Names of bodies in the renders that are none of ours."""
STYLES = {
    "white dice, black": Colour.WHITE,
    "five white dice": Colour.WHITE,
    "ivory dice": Colour.IVORY,
    "one ivory": Colour.IVORY,
    "five red": Colour.RED,
}
"""How the list of photographs begins where it names one colour for all dice."""


@dataclass(frozen=True, slots=True)
class Group:
    """The dice of one picture. truth: (n,) places in NAMES. origin: what the measurement is printed for."""

    seen: ColourSamples
    truth: NDArray[np.intp]
    origin: str
    held: bool


def _group(
    image: NDArray[np.uint8], dice: list[tuple[float, float, float, Colour]], origin: str, *, held: bool
) -> Group | None:
    if not dice:
        return None
    rng = np.random.default_rng(len(dice))
    place = np.array([die[:3] for die in dice], np.float32)
    place[:, :2] += rng.normal(0, 0.03, (len(dice), 2)) * place[:, 2:]
    seen = body_colour.measure_colours(pyramid(image), *place.T)
    return Group(seen, np.array([NAMES.index(die[3]) for die in dice]), origin, held)


def simulated(seeds: int) -> Iterator[Group | None]:
    """Every case that is to be read, from that many seeds; the last is held out."""
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        for name, case in CASES.items():
            if case.to_be_read and name != "12 megapixels":  # the same dice as elsewhere, only slower
                made = example(name, seed)
                dice = [(*die.center, die.size, die.colour) for die in made.dice]
                yield _group(made.image, dice, "simulated", held=seed == FIRST_SEED + seeds - 1)


def renders(folder: Path) -> Iterator[Group | None]:
    """Legible dice of the renders."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            if not label.get("dice") or label.get("state") == "moving" or label.get("frame", 0) % 8:
                continue
            image = load(labels.parent / label["file"])
            dice = [
                (*die["top_center"], die["edge_px"], RENDERED.get(die["body"]) or Colour(die["body"]))
                for die in label["dice"]
                if die.get("legible") and die["in_frame"]
            ]
            yield _group(image, dice, "render", held=held_out(f"{labels.parent.name}/{label['file']}"))


def photographs(folder: Path) -> Iterator[Group | None]:
    """Photographs whose dice have all one colour, where the reader sees them."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            named = next((name for start, name in STYLES.items() if row["style"].startswith(start)), None)
            if named is None:
                continue
            image = load(folder / row["file"])
            found = Reader(max(1, row["faces"].count("-") + 1)).read(image).dice
            dice = [(*die.center, die.size, named) for die in found if die.confidence > SURE]
            source = row["file"].split("__")[0]
            held = row["licence"] not in MAY_TRAIN or held_out(row["file"])
            yield _group(image, dice, f"photo {source}", held=held)


PURE = tuple(NAMES.index(name) for name in body_colour.PURE)
"""Colours that keep their name when the body is darker or lighter; orange, say, does not."""


def jittered(seen: ColourSamples, truth: NDArray[np.intp], rng: np.random.Generator) -> ColourSamples:
    """The same dice under another lamp, by another camera, and of nearly the same colour."""
    n = len(seen.body)
    strong = rng.choice([0.3, 1.0, 1.5], (n, 1))
    gain = np.exp(rng.normal(0, 0.07, (n, 3)) * strong + rng.normal(0, 0.15, (n, 1))).astype(np.float32)
    own, ground = (np.exp(rng.normal(0, 0.05, (n, 3))).astype(np.float32) for _ in range(2))
    own *= np.where(np.isin(truth, PURE), np.exp(rng.normal(-0.1, 0.35, n)), 1.0)[:, None].astype(np.float32)
    new = {name: getattr(seen, name) * gain for name in ("bright", "mean")}
    new |= {"body": seen.body * gain * own, "floor": seen.floor * gain * ground}
    new |= {"varies": seen.varies * gain.mean(1, keepdims=True), "top": seen.top * gain.mean(1)}
    return ColourSamples(**{name: np.clip(value, 0, 255) for name, value in new.items()})


def _joined(groups: list[Group]) -> tuple[ColourSamples, NDArray[np.intp], NDArray[np.str_]]:
    seen = ColourSamples(
        *(np.concatenate([getattr(g.seen, f.name) for g in groups]) for f in fields(ColourSamples))
    )
    origins = np.array([g.origin for g in groups for _ in g.truth])
    return seen, np.concatenate([g.truth for g in groups]), origins


def fit(groups: list[Group], steps: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """Weights as `vision/inference/body_colour.py` loads them."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    seen, truth, origins = _joined(groups)
    count = Counter(zip(origins.tolist(), truth.tolist(), strict=True))
    share = np.array([count[key] ** -0.5 for key in zip(origins.tolist(), truth.tolist(), strict=True)])
    share /= share.sum()
    plain = body_colour.features(seen)
    mean, scale = plain.mean(0), plain.std(0) + np.float32(1e-3)
    network = nn.Sequential(nn.Linear(plain.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, len(NAMES)))
    optimiser = torch.optim.AdamW(network.parameters(), 6e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, steps)
    for _ in range(steps):
        few = rng.choice(len(truth), 128, p=share)
        some = jittered(
            ColourSamples(*(getattr(seen, f.name)[few] for f in fields(ColourSamples))), truth[few], rng
        )
        logits = network(torch.from_numpy((body_colour.features(some) - mean) / scale))
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(truth[few]), label_smoothing=0.03)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    first, second = network[0], network[2]
    return {
        "mean": mean,
        "scale": scale,
        "first": first.weight.detach().numpy().T,
        "first_bias": first.bias.detach().numpy(),
        "second": second.weight.detach().numpy().T,
        "second_bias": second.bias.detach().numpy(),
    }


def report(groups: list[Group]) -> None:
    """Log how many names are right, for each origin, on what taught nothing and on what did."""
    for held in (True, False):
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        wrong: Counter[tuple[str, str]] = Counter()
        for group in groups:
            if group.held is held:
                named = body_colour.pooled_by_likeness(
                    group.seen, body_colour.log_probabilities(group.seen)
                ).argmax(1)
                right[group.origin] += int((named == group.truth).sum())
                total[group.origin] += len(named)
                wrong.update((NAMES[t], NAMES[k]) for t, k in zip(group.truth, named, strict=True) if t != k)
        for origin, count in sorted(total.items()):
            share = right[origin] / count
            log.info("%s %s: %.1f %% of %d", "held out" if held else "taught", origin, 100 * share, count)
        if held:
            log.info("taken for: %s", ", ".join(f"{a} {b} {n}" for (a, b), n in wrong.most_common(12)))


def main() -> None:
    """Teach, write, measure."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, required=True, help="the folder that holds renders/ and photos/"
    )
    parser.add_argument("--seeds", type=int, default=9, help="of the simulated tray")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=body_colour.WEIGHTS)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    found = [*simulated(args.seeds), *renders(args.shared / "renders"), *photographs(args.shared / "photos")]
    groups = [group for group in found if group is not None]
    weights = fit([group for group in groups if not group.held], args.steps, args.seed)
    np.savez(args.out, **{name: value.astype(np.float16) for name, value in weights.items()})
    report(groups)


if __name__ == "__main__":
    main()
