"""Writes picamera2_names.json: the methods of the real picamera2, their parameters, and the modes it takes.

`python -m tests.cameras.picamera2_names FOLDER`, where FOLDER is an unpacked picamera2 wheel
(`pip download --no-deps picamera2`). It is read with ast, so nothing of it needs to be installed.
"""

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.cameras.fake_picamera2 import raw_modes
from vision.cameras.sensors import SENSORS, Sensor

NAMES = Path(__file__).with_name("picamera2_names.json")
SIZES = ((1280, 720), (1280, 960), (640, 480), (1920, 1080), (2028, 1520))
"""Of pictures."""
Score = Callable[[dict[str, Any], int, tuple[int, int]], float]
CLASSES = {"Picamera2": "picamera2.py", "CompletedRequest": "request.py"}


def methods(package: Path) -> dict[str, dict[str, list[str]]]:
    """Class -> method -> its parameters without self, from the source of an unpacked package."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, file in CLASSES.items():
        tree = ast.parse((package / file).read_text())
        body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        found[name] = {
            node.name: [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                        if arg.arg != "self"]
            for node in functions
            if not node.name.startswith("_") or node.name == "__init__"
        }  # fmt: skip
    return found


def scoring(package: Path) -> Score:
    """The function inside the real picamera2 by which it chooses a sensor's mode: the least of it wins."""
    tree = ast.parse((package / "picamera2.py").read_text())
    named = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    inner = next(node for node in named if node.name == "score_mode")

    def sensor_format(name: str) -> SimpleNamespace:
        return SimpleNamespace(bit_depth=int(re.sub(r"\D+", "", name.split("_", maxsplit=1)[0])))

    names: dict[str, Any] = {"SensorFormat": sensor_format}
    exec(compile(ast.Module([inner], []), "score_mode", "exec"), names)  # noqa: S102 - that of the package
    return names["score_mode"]  # type: ignore[no-any-return]


def chosen(score: Score) -> dict[str, str]:
    """The modes taken where only the size of the picture is given: model -> one for each of SIZES."""

    def taken(sensor: Sensor, size_wh: tuple[int, int]) -> str:
        depth = sensor.modes[-1].bit_depth  # of the largest, which picamera2 asks for where nobody does
        width, height = min(raw_modes(sensor), key=lambda mode: score(mode, depth, size_wh))["size"]
        return f"{width}x{height}"

    return {sensor.model: " ".join(taken(sensor, size_wh) for size_wh in SIZES) for sensor in SENSORS}


def main() -> None:
    folder = Path(sys.argv[1])
    version = next(folder.glob("picamera2-*.dist-info")).name.split("-")[1].removesuffix(".dist")
    content = {"version": version, **methods(folder / "picamera2")}
    content["chosen"] = chosen(scoring(folder / "picamera2"))
    NAMES.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
