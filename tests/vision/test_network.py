"""The face network: what it promises, and that OpenCV computes what was trained."""

import json
import shutil
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.inference import face_looks, networks
from vision.inference.face_looks import classify_faces, face_patches, normalised
from vision.inference.finder import blob
from vision.inference.networks import ModelError, pyramid_level
from vision.pips import pyramid


def _odds(patches: np.ndarray) -> np.ndarray:
    return classify_faces(patches)[0]


def face_patch(image_bgr: np.ndarray, center: tuple[float, float], edge_px: float) -> np.ndarray:
    """The patch (48, 48, 3) round a face, as the network was taught to see it.

    image_bgr: (h, w, 3) uint8. center: x, y of the middle of the face; edge_px: its edge; both in pixels.
    """
    return networks.crop_square(
        image_bgr, center, max(float(edge_px), 1.0) * face_looks.PATCH_EDGES, face_looks.PATCH_PX
    )


def _noise(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, 48, 48, 3), np.uint8)


def test_probabilities_add_up_for_any_number_of_patches() -> None:
    for count in (0, 1, 6, 10):
        odds = _odds(_noise(count))
        assert odds.shape == (count, 7)
        assert odds.dtype == np.float32
        assert np.allclose(odds.sum(1), 1, atol=1e-5)
        assert (odds >= 0).all()


def test_each_patch_is_judged_alone() -> None:
    patches = _noise(5)
    together = _odds(patches)
    alone = []
    for i in range(5):
        networks.shared.cache_clear()  # so that none is known by now
        alone.append(_odds(patches[i : i + 1]))
    assert np.allclose(together, np.concatenate(alone), atol=1e-5)


class Doubling:
    """A network that doubles what it is given, and notes it."""

    def __init__(self) -> None:
        self.inputs: list[list[int]] = []

    def __call__(self, shown: np.ndarray) -> np.ndarray:
        self.inputs.append(shown.ravel().tolist())
        return shown.reshape(-1, 1).astype(np.float32) * 2


@pytest.mark.parametrize(
    ("rows", "inputs"),
    [
        # of 1, 2 and 3 the first had to go, and is computed again
        (([1, 2, 1], [2, 3], [1, 3]), [[1, 2], [3], [1]]),
        # what is requested again is kept longer
        (([1, 2], [1, 1], [3], [1]), [[1, 2], [3]]),
    ],
)
def test_the_two_latest_answers_are_kept(rows: tuple[list[int], ...], inputs: list[list[int]]) -> None:
    network, recent = Doubling(), networks.RecentAnswers(most=2)
    for row in rows:
        answers = recent.answers(np.array(row, np.uint8).reshape(-1, 1), network)
        assert answers.tolist() == [[2.0 * one] for one in row]
    assert [sorted(one) for one in network.inputs] == inputs


def test_many_patches_are_made_ready_a_few_at_a_time() -> None:
    network, many = Doubling(), np.arange(200, dtype=np.uint8).reshape(-1, 1)
    assert networks.RecentAnswers().answers(many, network).tolist() == [[2.0 * one] for one in range(200)]
    assert sum(map(len, network.inputs)) == len(many)
    assert max(map(len, network.inputs)) <= networks.AT_ONCE


def test_opencv_computes_of_patches_what_was_trained() -> None:
    stored = json.loads((networks.MODELS / "faces.json").read_text())["check"]
    _says_again(stored, "faces", normalised(_noise(stored["shape"][0], stored["seed"])))


@pytest.mark.parametrize("name", ["finder", "hands"])
def test_opencv_computes_of_whole_pictures_what_was_trained(name: str) -> None:
    stored = json.loads((networks.MODELS / f"{name}.json").read_text())["check"]
    _, _, rows, columns = stored["shape"]
    picture = np.random.default_rng(stored["seed"]).integers(0, 256, (rows * 4, columns * 4, 3), np.uint8)
    _says_again(stored, name, blob(picture))


def test_opencv_computes_of_half_precision_what_onnx_runtime_does() -> None:
    stored = json.loads((networks.MODELS / "witness.json").read_text())["check"]
    shown = np.random.default_rng(stored["seed"]).normal(0, 0.5, stored["shape"]).astype(np.float32)
    answer = networks.run_network(networks.load_model("witness"), shown)
    assert np.abs(answer.ravel() - stored["answer"]).max() < 1e-4


def _says_again(stored: dict[str, Any], name: str, shown: np.ndarray) -> None:
    """The network says of what it is shown what was written down when it had been taught."""
    net = networks.load_model(name)
    net.setInput(shown)
    assert np.abs(net.forward() - np.reshape(stored["answer"], stored["shape"])).max() < 1e-4


@pytest.mark.parametrize("value", [0, 128, 255])
def test_an_empty_patch_is_no_face(value: int) -> None:
    odds = _odds(np.full((1, 48, 48, 3), value, np.uint8))
    assert odds[0].argmax() == 0


def _drawn_face(face: int, turn_deg: float, *, dark: bool) -> np.ndarray:
    """A plain die from above, 300 pixels wide, drawn by nothing the network was taught with."""
    body, pip, floor = (
        ((40, 40, 40), (240, 240, 240), (60, 140, 60)) if dark else ((235,) * 3, (20,) * 3, (50, 90, 60))
    )
    image = np.full((600, 600, 3), floor, np.uint8)
    turn = np.radians(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = 300 + 150 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ spin.T
    cv2.fillPoly(image, [square.astype(np.int32)], body)
    places = [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)][: face - face % 2]
    for place in [*places, *([(0, 0)] if face % 2 else [])]:
        x, y = 300 + 75 * spin @ np.array(place)
        cv2.circle(image, (int(x), int(y)), 29, pip, -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_a_face_is_read_at_any_rotation_and_size(face: int, *, dark: bool) -> None:
    patches = []
    for turn in range(0, 90, 15):
        image = _drawn_face(face, turn, dark=dark)
        for size in (1.0, 0.12):
            seen = np.asarray(
                cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.uint8
            )
            middle = (300 + 0.5) * size - 0.5
            patches.append(face_patch(seen, (middle, middle), 300 * size))
    odds = _odds(np.array(patches))
    assert (odds.argmax(1) == face).all()


@pytest.mark.parametrize(("dx", "dy", "size"), [(0.0, 0.0, 1.25), (0.15, -0.1, 1.0), (-0.12, 0.16, 0.8)])
def test_the_network_tells_where_the_face_lies(dx: float, dy: float, size: float) -> None:
    image = _drawn_face(5, 20, dark=False)
    asked = 300 * size
    odds, place = classify_faces(face_patch(image, (300 + dx * asked, 300 + dy * asked), asked)[None])
    assert odds.argmax() == 5
    assert place[0] == pytest.approx([-dx, -dy, -np.log2(size)], abs=0.08)


def test_faint_pips_on_a_dark_die_count_as_much_as_its_outline() -> None:
    patch = np.full((48, 48, 3), 200, np.uint8)
    patch[8:40, 8:40] = 40
    patch[20:28, 20:28] = (40, 40, 70)
    whole, near = np.split(normalised(patch[None])[0], 2)
    assert np.ptp(whole[2, 12:36, 12:36]) < 0.6
    assert np.ptp(near[2, 12:36, 12:36]) > 1.5
    assert np.abs(near).max() <= face_looks.FAINT_MAX


def test_a_cut_beside_the_face_is_no_face() -> None:
    image = _drawn_face(5, 20, dark=False)
    patches = np.array([face_patch(image, (300 + dx, 300 + dy), 300) for dx, dy in ((160, 0), (0, -160))])
    assert (_odds(patches).argmax(1) == 0).all()


@pytest.mark.parametrize(
    ("center", "edge"),
    [((-500.0, -500.0), 30.0), ((10.0, 5.0), 900.0), ((63.0, 47.0), 0.0), ((1e6, 3.0), 80.0)],
)
def test_a_patch_may_lie_anywhere(center: tuple[float, float], edge: float) -> None:
    image = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    assert face_patch(image, center, edge).shape == (48, 48, 3)


def test_a_patch_is_centred() -> None:
    for size, edge in ((101, 30.0), (1001, 300.0)):
        image = np.zeros((size, size, 3), np.uint8)
        middle, half = size // 2, max(1, round(edge * 0.1))
        image[middle - half : middle + half + 1, middle - half : middle + half + 1] = 255
        patch = face_patch(image, (float(middle), float(middle)), edge)
        weight = patch[..., 0].astype(float)
        y, x = np.mgrid[0:48, 0:48]
        assert (weight * x).sum() / weight.sum() == pytest.approx(23.5, abs=0.3)
        assert (weight * y).sum() / weight.sum() == pytest.approx(23.5, abs=0.3)


@pytest.mark.parametrize("edge", [288.0, 224.0, 152.0, 104.0, 44.0])
def test_a_patch_is_the_same_from_the_level_that_fits(edge: float) -> None:
    image = np.asarray(
        cv2.resize(_drawn_face(5, 20, dark=False), None, fx=edge / 300, fy=edge / 300), np.uint8
    )
    middle = np.array([(300.5 * edge / 300) - 0.5 + 0.02 * edge], np.float32)
    (patch,) = face_patches(pyramid(image), middle, middle, np.array([edge], np.float32))
    direct = face_patch(image, (float(middle[0]), float(middle[0])), edge)
    shift, _ = cv2.phaseCorrelate(*(one.mean(2).astype(np.float32) for one in (patch, direct)))
    assert np.hypot(*shift) < 0.2
    assert np.abs(patch.astype(float) - direct).mean() < 5.0


def test_from_the_level_that_fits_little_is_left_to_shrink() -> None:
    for wide in np.geomspace(10.0, 6000.0, 200):
        left = wide / 2.0 ** pyramid_level(float(wide), 48, 9) / 48
        assert left <= 2.5
        assert left > 1.25 or wide <= 120


@pytest.mark.parametrize("shape", [(48, 48, 3), (1, 32, 32, 3), (1, 48, 48, 1)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="patches must be"):
        _odds(np.zeros(shape, np.uint8))


def test_other_types_are_refused() -> None:
    with pytest.raises(ValueError, match="float32"):
        _odds(np.zeros((1, 48, 48, 3), np.float32))  # type: ignore[arg-type]


def test_threads_take_turns() -> None:
    patches = _noise(4)
    expected = _odds(patches)
    wrong: list[int] = []

    def ask(number: int) -> None:
        same = [np.allclose(_odds(patches), expected, atol=1e-5) for _ in range(20)]
        if not all(same):
            wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert not wrong


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("faces.onnx", None, r"faces.onnx.*Install Yacht Station again"),
        ("faces.json", None, r"faces.json.*Install Yacht Station again"),
        ("faces.onnx", b"", "is damaged"),
        ("faces.onnx", b"\x00" * 1000, "is damaged"),
        ("faces.onnx", (networks.MODELS / "faces.onnx").read_bytes()[:50_000], "is damaged"),
        ("faces.json", b"{", "is damaged"),
    ],
    ids=["no network", "no description", "empty", "zeros", "cut short", "half a description"],
)
def test_a_missing_or_damaged_model_has_a_sentence(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    for each in ("faces.onnx", "faces.json"):
        shutil.copy(networks.MODELS / each, tmp_path / each)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=sentence):
        classify_faces(_noise(1), models=tmp_path)


def test_the_models_stay_small() -> None:
    """Six networks; the witness network, stored in half precision, is 4.9 MB of it."""
    assert sum(path.stat().st_size for path in networks.MODELS.glob("*.onnx")) <= 7_200_000
