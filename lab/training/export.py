"""Write trained networks where the product finds them, with the facts that vouch for them."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from lab.training.model import export, folded, rounded
from vision.inference.face_looks import PATCH_PX, normalised
from vision.inference.finder import blob

CHECK_SEED = 1
CHECK_PATCHES = 5
CHECK_PICTURE = (64, 96)


def write_faces(network: torch.nn.Module, temperature: float, folder: Path, facts: dict[str, Any]) -> None:
    """faces.onnx (the temperature folded into the last layer) and faces.json into `folder`."""
    network = copy.deepcopy(network).eval()
    last = [part for part in network.modules() if isinstance(part, torch.nn.Linear)][-1]
    with torch.no_grad():
        last.weight[:7] /= temperature
        last.bias[:7] /= temperature
    rng = np.random.default_rng(CHECK_SEED)
    noise = rng.integers(0, 256, (CHECK_PATCHES, PATCH_PX, PATCH_PX, 3), np.uint8)
    facts = {"temperature": round(temperature, 4), **facts}
    _write(network, normalised(noise), {0: "n"}, folder / "faces.onnx", facts)


def write_for_pictures(network: torch.nn.Module, path: Path, facts: dict[str, Any]) -> None:
    """A network that looks at whole pictures of any size into an ONNX file, and its JSON beside it."""
    network = copy.deepcopy(network).eval()
    noise = np.random.default_rng(CHECK_SEED).integers(0, 256, (*CHECK_PICTURE, 3), np.uint8)
    _write(network, blob(noise), {2: "h", 3: "w"}, path, facts)


def _write(
    network: torch.nn.Module,
    noise: NDArray[np.float32],
    free: dict[int, str],
    path: Path,
    facts: dict[str, Any],
) -> None:
    sample = torch.from_numpy(noise)
    network = rounded(folded(network))
    with torch.no_grad():
        answer = network(sample).numpy()
    path.parent.mkdir(parents=True, exist_ok=True)
    export(network, sample, path, free)
    described = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "torch": torch.__version__,
        **facts,
        "check": {
            "about": "the answer to noise of this seed, in order, as computed when trained",
            "seed": CHECK_SEED,
            "shape": list(answer.shape),
            "answer": [round(float(v), 5) for v in answer.ravel()],
        },
    }
    path.with_suffix(".json").write_text(json.dumps(described) + "\n", encoding="utf-8")
