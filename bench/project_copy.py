"""A copy of the project, for mistakes to be planted in."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def copy_of_the_project(folder: Path) -> Path:
    """What git knows of it, as it is now."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder
