"""Every name and parameter of picamera2 that the adapter uses is one that the real picamera2 has."""

import ast
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from messages.errors import CameraError
from tests.cameras import fake_picamera2
from tests.cameras.picamera2_names import NAMES, Score, chosen, methods, scoring
from tests.cameras.worlds import Device, open_files
from vision.cameras import picamera

CAMERA = "__init__ global_camera_info create_video_configuration configure start close set_controls".split()  # noqa: SIM905
REQUEST = "capture_request capture_metadata wait cancel_all_and_flush make_array get_metadata release".split()  # noqa: SIM905
USED = {*CAMERA, *REQUEST}
Signatures = dict[str, dict[str, list[str]]]
# Which of its classes stands behind a name in the adapter.
CLASS_OF = {
    **dict.fromkeys(("self._picam", "_picamera2().Picamera2", "module.Picamera2", "picam"), "Picamera2"),
    "request": "CompletedRequest",
}


def recorded() -> Signatures:
    content = json.loads(NAMES.read_text())
    return {name: content[name] for name in ("Picamera2", "CompletedRequest")}


def package() -> Path:
    spec = importlib.util.find_spec("picamera2")
    if spec is None or spec.origin is None:
        pytest.skip("picamera2 is not installed here; what is recorded stands for it")
    return Path(spec.origin).parent


def installed() -> Signatures:
    return methods(package())


def attributes_of_the_adapter() -> set[str]:
    """What it takes of a camera, called or not."""
    nodes = ast.walk(ast.parse(Path(picamera.__file__).read_text()))
    owners = {"self._picam", "picam"}
    return {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) in owners
    }


def calls_of_the_adapter() -> list[tuple[str, str, list[str], int]]:
    """Class, method, keywords and number of positional arguments of every call into picamera2."""
    calls = [node for node in ast.walk(ast.parse(Path(picamera.__file__).read_text()))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]  # fmt: skip
    return [
        (CLASS_OF[owner], call.func.attr, [word.arg for word in call.keywords if word.arg], len(call.args))
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and (owner := ast.unparse(call.func.value)) in CLASS_OF
        and call.func.attr != "__new__"
    ]


@pytest.mark.parametrize("source", [recorded, installed])
def test_all_calls_fit_the_real_signatures(source: object) -> None:
    known: Signatures = source()  # type: ignore[operator]
    calls = calls_of_the_adapter()
    assert {method for _, method, _, _ in calls} >= USED, "the adapter is not understood"
    for owner, method, keywords, positional in calls:
        assert method in known[owner], f"{owner} has no {method}"
        parameters = known[owner][method]
        assert set(keywords) <= set(parameters), f"{owner}.{method} takes {parameters}"
        assert positional + len(keywords) <= len(parameters)


def test_what_is_taken_of_a_camera_is_there_or_one_of_its_plain_fields() -> None:
    fields = {"camera", "notifyme_w"}  # set by its constructor; what closes a camera half made uses them
    taken = attributes_of_the_adapter()
    assert taken >= {"sensor_modes", "camera_properties", "camera_controls"}
    assert taken - fields <= set(recorded()["Picamera2"])


@pytest.mark.parametrize("score", [lambda: fake_picamera2.score, lambda: scoring(package())])
def test_the_fake_takes_the_modes_the_real_one_takes(score: Callable[[], Score]) -> None:
    assert chosen(score()) == json.loads(NAMES.read_text())["chosen"]


def test_the_stand_in_of_the_contract_test_promises_nothing_else() -> None:
    known = recorded()
    for owner, fake in (
        ("Picamera2", fake_picamera2.FakePicamera2),
        ("CompletedRequest", fake_picamera2.FakeRequest),
    ):
        for name, function in vars(fake).items():
            inner = getattr(function, "__func__", function)
            if name.startswith("_") or not callable(inner):
                continue
            assert name in known[owner], f"{owner} has no {name}"
            parameters = inner.__code__.co_varnames[1 : inner.__code__.co_argcount]
            assert set(parameters) <= set(known[owner][name])


def test_no_other_module_imports_picamera2() -> None:
    root = Path(picamera.__file__).parents[2]
    for package in ("vision", "station", "calibration", "web"):
        for file in (root / package).rglob("*.py"):
            if file != Path(picamera.__file__):
                text = file.read_text()
                assert "import picamera2" not in text, file
                assert 'import_module("picamera2")' not in text, file


@pytest.mark.parametrize(
    "step", ["configurations", "allocator", "create_video_configuration", "configure", "start"]
)
def test_a_camera_that_fails_while_it_is_opened_is_given_back(step, device: Device) -> None:
    source = picamera.PicameraSource(0, (192, 96), 15)
    files = open_files()
    for _ in range(3):
        device.failing = {step}
        with pytest.raises(CameraError, match="does not open"):
            source.open()
        assert device.open_captures == 0, "the camera stays taken, and no later attempt gets it"
        device.failing = set()
        source.open()
        assert source.grab() is not None
        source.close()
    assert open_files() == files


def test_a_camera_that_fails_while_it_is_closed_is_given_back(device: Device) -> None:
    source = picamera.PicameraSource(0, (192, 96), 15)
    files = open_files()
    for _ in range(3):
        source.open()
        device.failing = {"close"}
        source.close()
        device.failing = set()
        assert device.open_captures == 0
    assert open_files() == files


def test_a_camera_that_another_holds_is_left_to_it(device: Device) -> None:
    one, other = (picamera.PicameraSource(0, (192, 96), 15) for _ in range(2))
    one.open()
    files = open_files()
    with pytest.raises(CameraError, match="no other program is using it"):
        other.open()
    assert device.open_captures == 1
    assert open_files() == files
    assert one.grab() is not None
    one.close()
    other.open()
    other.close()


def test_looking_for_a_camera_that_is_not_there_costs_no_files(device: Device) -> None:
    device.plug(plugged=False)
    source = picamera.PicameraSource(0, (192, 96), 15)
    files = open_files()
    for _ in range(3):
        with pytest.raises(CameraError, match=r"No Pi camera 0 found\. Check"):
            source.open()
    assert open_files() == files
