"""Write a trained network where the product finds it, with the facts that vouch for it."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.model import export
from vision.network import PATCH_PX, normalised

CHECK_SEED = 1
CHECK_PATCHES = 5


def write_faces(network: torch.nn.Module, temperature: float, folder: Path, facts: dict[str, Any]) -> None:
    """faces.onnx (the temperature folded into the last layer) and faces.json into `folder`."""
    network = copy.deepcopy(network).eval()
    last = [part for part in network.modules() if isinstance(part, torch.nn.Linear)][-1]
    with torch.no_grad():
        last.weight /= temperature
        last.bias /= temperature
    noise = np.random.default_rng(CHECK_SEED).integers(
        0, 256, (CHECK_PATCHES, PATCH_PX, PATCH_PX, 3), np.uint8
    )
    sample = torch.from_numpy(normalised(noise))
    with torch.no_grad():
        logits = network(sample).numpy()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "faces.onnx"
    export(network, sample, path)
    described = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "temperature": round(temperature, 4),
        "torch": torch.__version__,
        **facts,
        "check": {
            "about": "logits of random patches as computed when trained",
            "seed": CHECK_SEED,
            "patches": CHECK_PATCHES,
            "logits": [[round(float(v), 6) for v in row] for row in logits],
        },
    }
    (folder / "faces.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
