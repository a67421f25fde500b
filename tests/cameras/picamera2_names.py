"""Writes picamera2_names.json: the methods of the real picamera2 and their parameters.

`python -m tests.cameras.picamera2_names FOLDER`, where FOLDER is an unpacked picamera2 wheel
(`pip download --no-deps picamera2`). It is read with ast, so nothing of it needs to be installed.
"""

import ast
import json
import sys
from pathlib import Path

NAMES = Path(__file__).with_name("picamera2_names.json")
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


def main() -> None:
    folder = Path(sys.argv[1])
    version = next(folder.glob("picamera2-*.dist-info")).name.split("-")[1].removesuffix(".dist")
    content = {"version": version, **methods(folder / "picamera2")}
    NAMES.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
