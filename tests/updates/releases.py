"""Release files of a small program, and of the whole one with another number."""

import io
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from release.site import PACKAGES
from release.update_file import pack
from station.updates.release_file import PROJECT, About, Here
from tests.conftest import ROOT

HERE = Here("0.2.0", "3.13 aarch64")
METADATA = "Metadata-Version: 2.1\nName: yacht-station\nVersion: {}\n"
SMALL = {"station/__init__.py": "", "station/small.py": "def main():\n    return 7\n"}
SMALL_ENTRY = "[console_scripts]\nyacht = station.small:main\n"


def wheel(version: str, files: Mapping[str, str | bytes], entries: str) -> bytes:
    out = io.BytesIO()
    about = f"yacht_station-{version}.dist-info"
    metadata = {f"{about}/METADATA": METADATA.format(version), f"{about}/entry_points.txt": entries}
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in {**files, **metadata}.items():
            packed.writestr(name, content)
    return out.getvalue()


def release(
    folder: Path,
    version: str,
    *,
    files: Mapping[str, str | bytes] = SMALL,
    entries: str = SMALL_ENTRY,
    **more: object,
) -> Path:
    """A file as `make release` makes it. more: what it says of itself, where that is something else."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"yacht_station-{version}-py3-none-any.whl"
    (folder / name).write_bytes(wheel(version, files, entries))
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    systems = {HERE.name: {}, Here.current().name: {}, f"{python} s390x": {}}
    about = About.model_validate(
        {"program": PROJECT, "version": version, "notes": "More.", "wheel": name, "systems": systems, **more}
    )
    made = pack(folder / f"yacht-station-{version}.zip", about, {name: folder / name})
    (folder / name).unlink()
    return made


def whole(folder: Path, version: str, changed: Mapping[str, str]) -> Path:
    """The program as it stands here, with another number. changed: other content of some files."""
    files: dict[str, str | bytes] = {
        str(path.relative_to(ROOT)): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".ts")
    }
    project = (ROOT / "pyproject.toml").read_text().partition('[project.entry-points."yacht.extra"]')[2]
    extras = project.partition("\n[")[0].replace('"', "")
    entries = f"[console_scripts]\nyacht = station.cli:main\n[yacht.extra]{extras}"
    return release(folder, version, files={**files, **changed}, entries=entries)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -path.stat().st_size // 3])
