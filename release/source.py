"""The files of a commit, in a folder of their own."""

import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def write_out(commit: str, folder: Path, *paths: str) -> None:
    """Write these files and folders of a commit, with its date; all of them where none are named.

    Debian's own tar unpacks them: Python's has a safe way from 3.11.4 on only. Raises CalledProcessError
    where this checkout has no such commit.
    """
    archive = ("git", "-c", "tar.umask=0022", "archive")
    with tempfile.NamedTemporaryFile(suffix=".tar") as packed:
        subprocess.run(
            (*archive, "--output", packed.name, commit, *paths), cwd=ROOT, check=True, capture_output=True
        )
        unpack = ("tar", "--extract", "--no-same-owner", "--same-permissions", "--file", packed.name)
        subprocess.run((*unpack, "--directory", str(folder)), check=True)
