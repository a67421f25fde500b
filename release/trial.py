"""A wheel, as somebody gets it who has nothing else: in an environment of its own, far from the source."""

import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from release.notes import NotReleasableError

SBOM = Path(__file__).with_name("sbom.py")
PATIENCE_S = 300.0
"""How long an answer may take on a machine that is busy with other things."""
PAGES = ("/", "/tv", "/setup", "/history", "/api/v1/state", "/api/v1/openapi.json")


def fresh(wheel: Path, requirements: Path) -> str:
    """Install it with what it needs, let it say its version and show its pages; its parts, as CycloneDX.

    requirements: the pinned files with their hashes. Raises NotReleasableError.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "venv"
        subprocess.run((sys.executable, "-m", "venv", home), check=True)
        python = home / "bin" / "python"
        pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        for what in (("--require-hashes", "--requirement", requirements), (wheel,)):
            subprocess.run((*pip, *what), check=True, cwd=folder, capture_output=True, text=True)
        yacht = home / "bin" / "yacht"
        version = subprocess.run((yacht, "--version"), check=True, capture_output=True, text=True, cwd=folder)
        if version.stdout.split()[-1] not in wheel.name:
            raise NotReleasableError(f"the installed program says '{version.stdout.strip()}'")
        pages([str(yacht)], Path(folder))
        made_of = subprocess.run((python, "-P", SBOM), check=True, capture_output=True, text=True, cwd=folder)
    return made_of.stdout


def pages(yacht: list[str], folder: Path) -> None:
    """Start a station with the simulated tray and fetch its pages. yacht: how it is called."""
    call = [*yacht, "run", "--port", "0", "--host", "127.0.0.1", "--camera", "simulated", "--buttons", "none"]
    running = subprocess.Popen(
        [*call, "--data", str(folder / "data")], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None  # noqa: S101 - requested as a pipe
    try:
        address = next((line.split()[1] for line in running.stdout if line.startswith("Open:")), None)
        if address is None:
            raise NotReleasableError("the installed program does not start")
        directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # pip may need a proxy
        for page in PAGES:
            with directly.open(f"{address}{page}", timeout=PATIENCE_S) as answer:
                answer.read()
    finally:
        running.terminate()
        running.wait(PATIENCE_S)
        running.stdout.close()
