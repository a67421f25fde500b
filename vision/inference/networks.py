"""How every network is loaded, shown patches or pictures, and shared; and how patches are cut.

The models are in vision/models/; lab/training/README.md says how they were made and how far they can be
trusted.
"""

import hashlib
import json
import threading
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import cv2
import numpy as np

from messages.errors import FailedError, cause
from messages.message import Value
from vision.pips import Floats, Picture

MODELS = Path(__file__).parents[1] / "models"
LEAST_SPREAD = 4.0
"""Keeps the noise of an empty felt from being stretched into pips (grey levels)."""
AT_ONCE = 16
"""Patches prepared together for a network: as floats, of two hundred, they would take 40 MB."""


class ModelError(FailedError):
    """A network's file is missing or damaged; the message says which and what to do."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key, code="vision/model", **values)


def load_model(name: str, folder: Path = MODELS) -> cv2.dnn.Net:
    """A network of `folder`: `name`.onnx, vouched for by the SHA-256 in `name`.json.

    Raises ModelError when either is missing or damaged.
    """
    model, facts = folder / f"{name}.onnx", folder / f"{name}.json"
    try:
        content = model.read_bytes()
        digest = json.loads(facts.read_text(encoding="utf-8"))["sha256"]
    except OSError as error:
        raise ModelError("vision/network/unreadable", file=str(error.filename), why=cause(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError("vision/network/description", file=str(facts)) from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ModelError("vision/network/damaged", file=str(model))
    try:
        network = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))
    except cv2.error as error:
        raise ModelError("vision/network/old_opencv", version=cv2.__version__, file=str(model)) from error
    network.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    network.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    return network


def run_network(network: cv2.dnn.Net, shown: Floats) -> Floats:
    """(n, k) the output of a network for each of n inputs (n, channels, h, w), one by one.

    A batch would be no quicker (measured); OpenCV would prepare the network again whenever n changes, which
    takes as long as two patches, and keep memory for the largest n.
    """
    outputs = []
    for k in range(len(shown)):
        network.setInput(shown[k : k + 1])
        outputs.append(network.forward()[0])
    return np.array(outputs, np.float32)


def softmax(logits: Floats) -> Floats:
    """The probabilities of classes, which are the last axis: 0 to 1, of sum 1."""
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True), np.float32)


def standardised(patches: Picture) -> Floats:
    """(n, 3, h, w) float32 of patches (n, h, w, 3) uint8 BGR: each with mean 0 and deviation 1."""
    floats = np.ascontiguousarray(patches.transpose(0, 3, 1, 2), np.float32)
    rows = floats.reshape(len(floats), -1)
    rows -= rows.mean(1)[:, None]
    rows /= np.sqrt((rows * rows).mean(1))[:, None] + np.float32(LEAST_SPREAD)
    return floats


class RecentAnswers:
    """A cache of a network's recent outputs: repeated looks at one picture share many inputs."""

    def __init__(self, most: int = 1024) -> None:
        """most: entries, least recently used first out; one picture of a rough ground needs 700."""
        self._most = most
        self._known: dict[bytes, Floats] = {}

    def answers(self, shown: Picture, ask: Callable[[Picture], Floats]) -> Floats:
        """(n, k) outputs of n inputs, computed for new ones only; (0,) of none."""
        names = [hashlib.blake2b(one.tobytes(), digest_size=16).digest() for one in shown]
        new = {name: k for k, name in enumerate(names) if name not in self._known}
        fresh, rows = list(new), list(new.values())
        for start in range(0, len(rows), AT_ONCE):
            outputs = ask(shown[rows[start : start + AT_ONCE]])
            self._known |= dict(zip(fresh[start : start + AT_ONCE], outputs, strict=True))
        answers = np.array([self._known[name] for name in names], np.float32)
        self._known |= {name: self._known.pop(name) for name in dict.fromkeys(names)}  # asked for lately, too
        for name in list(self._known)[: -self._most]:
            del self._known[name]
        return answers


class Network:
    """A network, loaded when it is first asked; may be shared by threads, which take turns.

    Every answer raises ModelError when the model is missing or damaged.
    """

    def __init__(self, name: str, folder: Path) -> None:
        """name, folder: see `load_model`."""
        self._name, self._folder = name, folder
        self._recent = RecentAnswers()
        self._turn = threading.Lock()

    @cached_property
    def _network(self) -> cv2.dnn.Net:
        return load_model(self._name, self._folder)

    def of_picture(self, shown: Picture | Floats, scale: float = 1.0, mean: float = 0.0) -> Floats:
        """The output, without its first axis, for a picture (1, 3, h, w): that less the mean, times scale."""
        with self._turn:
            self._network.setInput(shown, "", scale, (mean,) * 3)
            return np.asarray(self._network.forward()[0], np.float32)

    def of_patches(self, patches: Picture, prepared: Callable[[Picture], Floats]) -> Floats:
        """(n, k) the output for patches (n, h, w, 3) uint8, (0,) for none; prepared: makes inputs of some."""
        with self._turn:
            return self._recent.answers(patches, lambda new: run_network(self._network, prepared(new)))


@cache
def shared(name: str, folder: Path = MODELS, _size: str = "") -> Network:
    """The network that all share.

    _size: of pictures, a name for each where the sizes alternate: each has a network of its own then, for
    OpenCV prepares one anew when the size changes, which takes 10 ms.
    """
    return Network(name, folder)


def crop_square(image_bgr: Picture, center: tuple[float, float], wide_px: float, side_px: int) -> Picture:
    """The upright square (side_px, side_px, 3) that is `wide_px` pixels of the picture wide.

    Averaged where it shrinks, never just sampled; beyond the picture's rim its last pixels go on.
    """
    x, y = center
    # By whole factors first: OpenCV averages whole blocks of pixels several times faster.
    blocks = round(wide_px / side_px)
    if blocks > 1:
        reach = wide_px * 0.55
        left, top = max(0, int(x - reach)), max(0, int(y - reach))
        part = image_bgr[top : max(0, int(y + reach) + blocks), left : max(0, int(x + reach) + blocks)]
        height, width = part.shape[0] // blocks, part.shape[1] // blocks
        if height and width:
            part = part[: height * blocks, : width * blocks]
            image_bgr = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            x, y = (x - left + 0.5) / blocks - 0.5, (y - top + 0.5) / blocks - 0.5
            wide_px /= blocks
    zoom, middle = side_px / wide_px, side_px / 2 - 0.5
    matrix = np.array([[zoom, 0, middle - x * zoom], [0, zoom, middle - y * zoom]])
    cut = cv2.warpAffine(
        image_bgr, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def crop_squares(
    image_bgr: Picture, places: tuple[Floats, Floats, Floats], edges: float, side_px: int
) -> Picture:
    """(n, side_px, side_px, 3), see `crop_square`: round places (x, y, edge; px), that many edges wide."""
    cut = [
        crop_square(image_bgr, (float(x), float(y)), float(edge) * edges, side_px)
        for x, y, edge in zip(*places, strict=True)
    ]
    return np.array(cut, np.uint8).reshape(-1, side_px, side_px, 3)


def pyramid_level(wide_px: float, side_px: float, levels: int) -> int:
    """The level, of so many, of a pyramid from which `crop_square` shrinks by two at most, quickly.

    A level is half as large as the one before, so on that level what is `wide_px` pixels of level 0 wide has
    5/4 to 5/2 of `side_px`, or less where it has so on level 0.

    >>> [pyramid_level(wide, 48, 5) for wide in (30.0, 119.0, 121.0, 300.0, 9000.0)]
    [0, 0, 1, 2, 4]
    """
    number = 0
    while wide_px > 2.5 * side_px and number + 1 < levels:
        number, wide_px = number + 1, wide_px / 2
    return number


def on_fitting_level(
    levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], edge_px: float
) -> tuple[Picture, Floats, Floats, Floats]:
    """The level on which the smallest of places (x, y, edge; px of level 0) has 5/4 to 5/2 of edge_px.

    And the places on it. Much less is to be cut and shrunk there than in the whole picture.
    """
    x, y, edge = places
    number = pyramid_level(float(edge.min(initial=np.inf)), edge_px, len(levels)) if len(edge) else 0
    scale, half = np.float32(0.5**number), np.float32(0.5)
    return levels[number], (x + half) * scale - half, (y + half) * scale - half, edge * scale


def crop_patches(levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], side_px: int) -> Picture:
    """(n, side_px, side_px, 3) the squares round places: x, y and how wide each is, px of level 0.

    levels: the picture and its halvings, (h, w, 3) uint8 each; each square is cut from the one that fits.
    """
    cut = np.empty((len(places[0]), side_px, side_px, 3), np.uint8)
    for k, (x, y, wide_px) in enumerate(zip(*(values.tolist() for values in places), strict=True)):
        number = pyramid_level(wide_px, side_px, len(levels))
        scale = 0.5**number
        center = ((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5)
        cut[k] = crop_square(levels[number], center, wide_px * scale, side_px)
    return cut
