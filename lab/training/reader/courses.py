"""The two courses: from the published weights to ONNX files."""

from pathlib import Path
from typing import Any

import torch

from lab.training.course import Maker
from lab.training.reader import crops
from lab.training.reader import detector as detecting
from lab.training.reader import faces as naming
from lab.training.reader.backbone import Backbone, from_imagenet
from lab.training.reader.course import teach
from lab.training.reader.export import write
from lab.training.reader.plan import Batch, Plan
from lab.two_networks.faces import SIDE

DETECTOR = Plan(steps=1300, batch=16, rate=1.2e-3)
FACES = Plan(steps=5000, batch=32, rate=1.2e-3)


def detector(maker: Maker[Batch], plan: Plan, work: Path, facts: dict[str, Any]) -> None:
    """Teach the detector; WORK/detector.onnx and what it was taught by. Goes on where it was interrupted."""
    torch.manual_seed(plan.seed)
    network = detecting.Detector(Backbone(detecting.BLOCKS, from_imagenet(), kept=detecting.KEPT))
    taught = teach(network, maker, detecting.loss, plan, work / "detector.pt")
    write(taught, work / "detector.onnx", crops.CROP, facts)


def faces(
    maker: Maker[Batch],
    plan: Plan,
    work: Path,
    facts: dict[str, Any],
    *,
    name: str = "faces",
    half: bool = False,
) -> None:
    """Teach the face network; WORK/NAME.onnx and what it was taught by. Goes on where it was interrupted."""
    torch.manual_seed(plan.seed)
    network = naming.Faces(Backbone(naming.BLOCKS, from_imagenet()))
    taught = teach(network, maker, naming.loss, plan, work / f"{name}.pt")
    write(taught, work / f"{name}.onnx", SIDE, facts, half=half)
