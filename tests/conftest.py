"""Paths and helpers that all tests share."""

import gc
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["OMP_NUM_THREADS"] = "1"  # other tests have the other cores
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"  # as `yacht` sets it before OpenCV is loaded
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["no_proxy"] = "*"  # requests to a station go through no proxy

from station.features.listed import FEATURES
from tests.shortcuts import SHORTCUTS
from tests.shortcuts.kept_trays import keep_trays

os.environ["LC_ALL"] = "C.UTF-8"  # `yacht` prints in the language of the terminal; the tests read English

MEMORY = Path("/dev/shm")  # noqa: S108 - each run makes a folder of its own there
ROOM_BYTES = 2 << 30


def _fits_tests(folder: Path) -> bool:
    """Whether files can be written and started there, with room for all that tests write."""
    if not os.access(folder, os.W_OK):
        return False
    system = os.statvfs(folder)
    return not system.f_flag & os.ST_NOEXEC and system.f_bavail * system.f_frsize > ROOM_BYTES


# A real database waits for the disk at every step: its tests take four times as long on one that is busy.
if _fits_tests(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# The speed of a machine is no property of the product.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

WEIGHTS = {"browser": 20.0, "slow": 5.0, "thorough": 0.6}
"""About how many seconds a test with such a mark takes; any other takes next to nothing."""

QUICK_S = 0.2
"""Seconds of processor time above which a test is not quick: it is marked `thorough`, or `slow`."""

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("YACHT_SHARED", ROOT.parent / "shared"))


WITHOUT = frozenset(os.environ.get("YACHT_WITHOUT", "").split())
"""The features that were taken away from this copy of the project (`make without`)."""


def _shared(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"the folder {name}/ is not beside the project (set YACHT_SHARED to its parent)")
    return folder


def _needs(item: pytest.Item) -> set[str]:
    needed = {name for mark in item.iter_markers("needs_feature") for name in mark.args or WITHOUT}
    if unknown := needed - WITHOUT - {type(each).__module__.split(".")[2] for each in FEATURES}:
        raise pytest.UsageError(f"{item.nodeid} needs a feature that does not exist: {unknown}")
    return needed


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that need a feature which was taken away.

    Where files are spread over processes, the longest go first: none begins when the others have ended.
    """
    away = [item for item in items if _needs(item) & WITHOUT]
    config.hook.pytest_deselected(items=away)
    items[:] = [item for item in items if item not in away]
    if not hasattr(config, "workerinput"):
        return
    seconds: Counter[Path] = Counter()
    for item in items:
        marks = (WEIGHTS.get(mark.name, 0.05) for mark in item.iter_markers())
        seconds[item.path] += max(marks, default=0.05)
    items.sort(key=lambda item: -seconds[item.path])


def pytest_collection_finish() -> None:
    """Collect garbage less often, and not among the thousands of tests, which stay to the end.

    It took a quarter of the processor time of the quick tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Record the processor time of a test, with that of its processes that have ended."""
    before = sum(os.times()[:4])
    try:
        yield
    finally:
        item.user_properties.append(("processor_s", sum(os.times()[:4]) - before))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """List the quick tests that took too long. The first ones may have loaded what the others share."""
    if "not thorough" not in config.option.markexpr:
        return
    passed = terminalreporter.getreports("passed")
    took = {each.nodeid: dict(each.user_properties).get("processor_s", 0.0) for each in passed}
    for name in sorted((name for name in took if took[name] > QUICK_S), key=took.__getitem__, reverse=True):
        terminalreporter.write_line(f"{took[name]:.2f} s of processor time, so not quick: {name}")


@pytest.fixture(scope="session", autouse=True)
def kept_trays() -> Iterator[None]:
    """Empty trays that were drawn are copied for the next tests."""
    with pytest.MonkeyPatch.context() as patch:
        if SHORTCUTS:
            keep_trays(patch.setattr)
        yield


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of real photographs."""
    return _shared("photos")


@pytest.fixture(scope="session")
def renders() -> Path:
    """The folder of rendered trays with exact truth."""
    return _shared("renders")


@pytest.fixture(scope="session")
def rules_documents() -> Path:
    """The folder with the worked examples and the exact positions."""
    return _shared("rules")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 2 MB of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)
