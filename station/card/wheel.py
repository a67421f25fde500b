"""The program as one file: a wheel, built from a checkout or packed again from what is installed."""

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import Distribution, PackagePath, distribution
from pathlib import Path

from messages.errors import FailedError, cause

ROOT = Path(__file__).parent.parent.parent
_BUILD = "from setuptools.build_meta import build_wheel; build_wheel({!r})"
_PARTS = (
    "pyproject.toml", "README.md", "LICENSE", "messages", "station", "board", "vision", "calibration",
    "pictures", "simulator", "web", "systemd", "requirements",
)  # fmt: skip
_LOCAL = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}
"""Files of an installation that no wheel has."""


def packed() -> tuple[str, bytes]:
    """The wheel of this program: its file name and what it is. Raises FailedError."""
    try:
        return _built() if (ROOT / "pyproject.toml").exists() else packed_again(distribution("yacht-station"))
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode(errors="replace").strip().splitlines()
        raise FailedError("yacht/card/no_wheel", why=lines[-1] if lines else str(error)) from error
    except OSError as error:
        raise FailedError("yacht/card/no_wheel", why=cause(error)) from error


def _built() -> tuple[str, bytes]:
    """Built of a copy: setuptools leaves traces where it builds."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "source", Path(folder) / "out"
        source.mkdir()
        for part in _PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / part, source)
        environ = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        call = (sys.executable, "-c", _BUILD.format(str(out)))
        subprocess.run(call, cwd=source, check=True, env=environ, capture_output=True)  # noqa: S603 - our own
        (wheel,) = out.glob("*.whl")
        return wheel.name, wheel.read_bytes()


def packed_again(installed: Distribution) -> tuple[str, bytes]:
    """The wheel that this was installed from, as far as it matters: the same files with a fresh list."""
    files = installed.files or []
    name = f"{installed.name.replace('-', '_')}-{installed.version}"
    content = {
        place: Path(str(file.locate())).read_bytes() for file in files if (place := _in_wheel(file, name))
    }
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    for place, data in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.writerow((place, f"sha256={digest}", len(data)))
    lines.writerow((f"{name}.dist-info/RECORD", "", ""))
    content[f"{name}.dist-info/RECORD"] = record.getvalue().encode()
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in content.items():
            archive.writestr(zipfile.ZipInfo(place), data, zipfile.ZIP_DEFLATED)
    return f"{name}-py3-none-any.whl", whole.getvalue()


def _in_wheel(file: PackagePath, name: str) -> str:
    """Where an installed file is in its wheel; empty for one that was made when it was installed."""
    path = file.as_posix()
    if file.suffix == ".pyc" or (".dist-info" in path and file.name in _LOCAL):
        return ""
    outside, _, shared = path.partition("share/yacht-station/")
    if shared and set(outside.split("/")) <= {"..", ""}:
        return f"{name}.data/data/share/yacht-station/{shared}"
    return "" if path.startswith("..") else path  # the command is made anew from the list of entry points
