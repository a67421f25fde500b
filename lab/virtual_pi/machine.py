"""Builds the virtual Pi, starts it, cuts its power, and says what came of it."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from lab.virtual_pi.frames import draw

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TRIALS = ("install", "turn", "camera", "cuts")
PATIENCE_S = 1_200
"""For a start; others may have the processor."""
MAPS = Path("/proc/sys/vm/max_map_count")
MAPS_NEEDED = 1_000_000
_LEFT_OUT = (
    ".git",
    ".venv",
    "node_modules",
    "__pycache__",
    ".*_cache",
    "*.egg-info",
    ".hypothesis",
    "training",
)


@dataclass(frozen=True, slots=True)
class Machine:
    """A disk, a kernel, and a folder that both the machine and its guest see.

    bare: without systemd. patience: all is waited for that many times as long as usual.
    """

    kernel: Path
    disk: Path
    host: Path
    memory_mb: int = 1536
    bare: bool = False
    patience: int = 1

    def words(self, trial: str) -> list[str]:
        """What switches it on; `trial` goes onto the kernel command line."""
        disk = f"ubd0={self.disk}"
        words = [str(self.kernel), disk, f"mem={self.memory_mb}M", "con=null", "con0=null,fd:1", "quiet"]
        words += ["panic=1", f"yacht.try={trial}"]
        if self.bare:
            words += ["root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro"]
            words += [
                f"init={HERE}/guest/bare.sh",
                f"FOLDER={self.host}",
                f"PROJECT={ROOT}",
                f"PYTHON={sys.executable}",
            ]
        else:
            words += ["root=/dev/ubda", "rw", f"hostfs={self.host}"]
        return words

    def start(self, trial: str) -> subprocess.Popen[bytes]:
        """Switch it on."""
        with (self.host / "console.log").open("ab") as console:
            return subprocess.Popen(
                self.words(trial),
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,  # so that the power can be cut for all its processes at once
            )

    def run(self, trial: str, deadline_s: float) -> dict[str, Any]:
        """One trial from switching on to switching off; its result, or what was wrong."""
        results = self.host / "results.jsonl"
        before = lines(results)
        machine = self.start(trial)
        try:
            machine.wait(deadline_s * self.patience)
        except subprocess.TimeoutExpired:
            return {"trial": trial, "ok": False, "error": f"not done within {deadline_s * self.patience:g} s"}
        finally:
            cut(machine)
        after = lines(results)
        if len(after) == len(before):
            return {
                "trial": trial,
                "ok": False,
                "error": "the machine stopped without a result (console.log)",
            }
        result: dict[str, Any] = json.loads(after[-1])
        return result

    def cuts(self, count: int, rng: random.Random) -> dict[str, Any]:
        """Let it play and cut its power that often; the guest compares after each start."""
        acknowledged, checks = self.host / "acknowledged.json", self.host / "cuts.jsonl"
        answers = 0
        for number in range(count + 1):
            checked, played = len(lines(checks)), stamp(acknowledged)
            machine = self.start("cut")
            end = time.monotonic() + PATIENCE_S * self.patience
            while stamp(acknowledged) == played or (number and len(lines(checks)) == checked):
                if time.monotonic() > end or machine.poll() is not None:
                    cut(machine)
                    return self._compared(count, answers) | {
                        "ok": False, "error": f"start {number} did not come to play",
                    }  # fmt: skip
                time.sleep(0.1)
            stop = time.monotonic() + rng.uniform(0, 6)
            while time.monotonic() < stop:
                now = stamp(acknowledged)
                answers += now != played
                played = now
                time.sleep(0.005)
            cut(machine)
            click.echo(f"cut {number + 1}: {len(lines(checks))} compared", err=True)
        return self._compared(count, answers)

    def _compared(self, count: int, answers: int) -> dict[str, Any]:
        """What the guest has found after its cuts so far."""
        found = [json.loads(line) for line in lines(self.host / "cuts.jsonl")]
        return {
            "trial": "cuts", "ok": len(found) == count and not any(each["lost"] for each in found),
            "cuts_compared": len(found), "lost": sum(each["lost"] for each in found),
            "same_as_acknowledged": sum(each["same"] for each in found),
            "one_command_further": sum(each.get("further", False) for each in found),
            "answers_seen": answers,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arm64Machine(Machine):
    """One with the processor of a Pi 4, emulated."""

    patience: int = 10

    def words(self, trial: str) -> list[str]:
        """As of `Machine`."""
        kernel = f"root=/dev/vda rw quiet panic=-1 console=ttyAMA0 yacht.try={trial}"
        kernel += f" yacht.patience={self.patience}"
        words = ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72", "-smp", "2"]
        words += f"-m {self.memory_mb} -nic none -display none -serial stdio -no-reboot".split()
        words += ["-drive", f"file={self.disk},format=raw,if=virtio,cache=unsafe"]
        words += ["-virtfs", f"local,path={self.host},mount_tag=host,security_model=none"]
        return [*words, "-kernel", str(self.kernel), "-append", kernel]


def cut(machine: subprocess.Popen[bytes]) -> None:
    """Pull the plug."""
    try:
        os.killpg(machine.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    machine.wait()


@contextmanager
def many_maps() -> Iterator[None]:
    """Let a process have more maps for a while: User-Mode-Linux needs one for nearly every page it shows."""
    before = MAPS.read_text()
    more = os.geteuid() == 0 and int(before) < MAPS_NEEDED
    if more:
        MAPS.write_text(str(MAPS_NEEDED))
    try:
        yield
    finally:
        if more:
            MAPS.write_text(before)


def lines(path: Path) -> list[str]:
    """The lines of a file; none where there is none yet."""
    return path.read_text().splitlines() if path.exists() else []


def stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is replaced."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_ino


def build(script: str, *arguments: str, around: tuple[Path, ...] = ()) -> Path:
    """Run one of our building scripts, by another one where that is needed; the path it prints."""
    words = [str(word) for word in (*around, HERE / script, *arguments)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"{script} did not succeed; it says why above")
    return Path(done.stdout.split()[-1])


def cache() -> Path:
    """Where what was built is kept."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return Path(os.environ.get("YACHT_CACHE", home / "yacht-station"))


def prepare(machine: Machine, image: Path) -> None:
    """A disk of its own for this run, and the project beside it."""
    shutil.rmtree(machine.host.parent, ignore_errors=True)
    shutil.copytree(ROOT, machine.host / "project", ignore=shutil.ignore_patterns(*_LEFT_OUT))
    draw(machine.host)
    subprocess.run(["/bin/cp", "--sparse=always", image, machine.disk], check=True)


def prepare_bare(kernel: Path, folder: Path) -> Machine:
    """An empty disk for the games alone; everything else is this machine's."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "host").mkdir(parents=True)
    disk = folder / "disk.img"
    subprocess.run(["/sbin/mkfs.ext4", "-q", disk, "64M"], check=True)
    return Machine(kernel, disk, folder / "host", bare=True)


@click.command()
@click.argument("trials", nargs=-1, type=click.Choice(TRIALS))
@click.option("--cuts", default=20, show_default=True, help="How often the power is cut.")
@click.option("--keep", is_flag=True, help="Go on with the disk of the last run.")
@click.option("--arm64", is_flag=True, help="With the processor of a Pi 4, emulated.")
@click.option("--plain", is_flag=True, help="Only cuts, on Debian's own kernel, without systemd or root.")
def main(trials: tuple[str, ...], cuts: int, *, keep: bool, arm64: bool, plain: bool) -> None:
    """Build what is missing, then run the TRIALS (all of them if none is named)."""
    folder = cache() / ("run-arm64" if arm64 else "run")
    if plain:
        if keep or arm64 or set(trials) - {"cuts"}:
            raise click.ClickException("without systemd, pins and cameras only cuts can be tried")
        trials, machine = ("cuts",), prepare_bare(build("plain_kernel.sh"), folder)
    elif os.geteuid():
        raise click.ClickException("building a Debian root needs root")
    else:
        machine, image = _arm64(folder) if arm64 else _usual(folder)
        if not keep:
            prepare(machine, image)
        for path in HERE.glob("*.py"):  # what is tried may have changed since, the station has not
            shutil.copy(path, machine.host / "project" / path.relative_to(ROOT))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as Ctrl-C does: clean up on the way out
    with many_maps():
        good = [_try(machine, trial, cuts) for trial in trials or TRIALS]
    click.echo(f"What the machine said is in {machine.host} (out.log, console.log).")
    sys.exit(0 if all(good) else 1)


def _usual(folder: Path) -> tuple[Machine, Path]:
    """The machine whose kernel is a program of this one, and what its disk is a copy of."""
    kernel, image = build("kernel.sh"), build("image.sh", sys.executable)
    return Machine(kernel, folder / "disk.img", folder / "host"), image


def _arm64(folder: Path) -> tuple[Machine, Path]:
    """The emulated one."""
    kernel = build("kernel.sh", "arm64")
    image = build("image.sh", sys.executable, "arm64", around=(ROOT / "lab" / "arm64" / "emulated.sh",))
    return Arm64Machine(kernel, folder / "disk.img", folder / "host"), image


def _try(machine: Machine, trial: str, cuts: int) -> bool:
    start_s = time.monotonic()
    rng = random.Random()  # noqa: S311 - when to pull a plug
    result = machine.cuts(cuts, rng) if trial == "cuts" else machine.run(trial, 1_800)
    result["seconds"] = round(time.monotonic() - start_s)
    click.echo(json.dumps(result, indent=1))
    return bool(result["ok"])
