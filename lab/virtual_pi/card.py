"""From a card to the first reading: a machine starts from what `yacht card` made, and loses its power.

    sudo .venv/bin/python -m lab.virtual_pi.card DIR [--cut STEP]...

The machine is QEMU's, with Debian in place of Raspberry Pi OS (`card_disk.sh`). What the page on port 80
says is printed as it changes.
"""

import json
import shlex
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).parent
PAGE_PORT, STATION_PORT = 18080, 18081
PATIENCE_S = 3600.0
INTO_A_STEP_S = 6.0
"""So long after a step has begun the power goes."""


@dataclass(slots=True)
class Trial:
    """One card in one machine, and what has been seen since it was switched on first."""

    folder: Path
    accel: str
    began: float = field(default_factory=time.monotonic)
    seen: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """Print and keep what was seen, with the seconds since the beginning."""
        self.seen.append(f"{time.monotonic() - self.began:6.0f} s  {line}")
        click.echo(self.seen[-1])
        (self.folder / "seen.log").write_text("\n".join((*self.seen, "")), encoding="utf-8")

    def switch_on(self) -> subprocess.Popen[bytes]:
        """Start the machine from its disks, with the command line of its card."""
        line = (self.folder / "boot/cmdline.txt").read_text(encoding="utf-8").strip()
        ports = f"hostfwd=tcp:127.0.0.1:{PAGE_PORT}-:80,hostfwd=tcp:127.0.0.1:{STATION_PORT}-:8080"
        words = shlex.split(
            f"qemu-system-x86_64 -machine q35 -accel {self.accel} -cpu max -m 1536 -smp 2 -display none"
            f" -kernel {self.folder}/kernel -initrd {self.folder}/initrd"
            f" -drive file={self.folder}/root.img,format=raw,if=virtio"
            f" -drive file={self.folder}/boot.img,format=raw,if=virtio"
            f" -netdev user,id=net,{ports} -device virtio-net-pci,netdev=net"
            f" -no-reboot -serial file:{self.folder}/console.log"
        )
        return subprocess.Popen([*words, "-append", line])

    def progress(self) -> dict[str, Any] | None:
        """What the page says; None while there is none."""
        return asked(f"http://127.0.0.1:{PAGE_PORT}/progress.json")

    def until_step(self, step: int, machine: subprocess.Popen[bytes]) -> None:
        """Wait until the first start is at this step, or over."""
        last = ""
        while time.monotonic() - self.began < PATIENCE_S:
            if machine.poll() is not None:
                raise click.ClickException("the machine ended by itself; see console.log")
            progress = self.progress()
            told = (
                "no page"
                if progress is None
                else f"{progress['step']} of {progress['steps']}: {progress['name']}"
            )
            if progress and progress["trouble"]:
                told += f" ({progress['trouble']})"
            if told != last:
                self.say(told)
                last = told
            if progress and (progress["done"] or progress["step"] >= step):
                return
            time.sleep(0.5)
        raise click.ClickException("it took too long")

    def cut(self, machine: subprocess.Popen[bytes]) -> None:
        """Pull the plug."""
        machine.kill()
        machine.wait()
        self.say("the power was cut")


def asked(url: str, **sent: object) -> dict[str, Any] | None:
    """What an address answers; None where nobody does."""
    data = json.dumps(sent).encode() if sent else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - our own machine
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own machine
            found: dict[str, Any] = json.loads(answer.read())
            return found
    except (OSError, ValueError):
        return None


def first_reading() -> Any:
    """Begin a game on the simulated tray, and wait until a throw is read."""
    api = f"http://127.0.0.1:{STATION_PORT}/api/v1"
    asked(f"{api}/commands", command="start_game", players=["Ana"])
    asked(f"{api}/commands", command="throw", faces=[1, 3, 3, 5, 6])
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        state = asked(f"{api}/state") or {}
        if state.get("offer"):
            return state["offer"]
        time.sleep(0.5)
    raise click.ClickException("nothing was read")


@click.command()
@click.option(
    "--cut", "cuts", type=int, multiple=True, default=(4, 6), help="Steps in whose middle the power goes."
)
@click.option("--suite", default="trixie", help="Debian's name.")
@click.option("--accel", default="tcg,thread=multi", help="kvm, where this machine can.")
@click.argument("folder", type=click.Path(path_type=Path))
def main(cuts: tuple[int, ...], suite: str, accel: str, folder: Path) -> None:
    """Make the disks, start from them, cut the power, and read dice."""
    subprocess.run((str(HERE / "card_disk.sh"), suite, str(folder)), check=True)
    calls = (
        f"yacht card --language de --country DE {folder}/boot",
        f"truncate -s 256M {folder}/boot.img",
        f"mkfs.vfat -n BOOTFS {folder}/boot.img",
    )
    for call in calls:
        subprocess.run(shlex.split(call), check=True)
    files = sorted(map(str, (folder / "boot").iterdir()))
    subprocess.run(("mcopy", "-s", "-i", str(folder / "boot.img"), *files, "::"), check=True)
    trial = Trial(folder, accel)
    machine = trial.switch_on()
    try:
        for step in cuts:
            trial.until_step(step, machine)
            time.sleep(INTO_A_STEP_S)
            trial.cut(machine)
            machine = trial.switch_on()
        trial.until_step(99, machine)
        trial.say(f"read: {json.dumps(first_reading())}")
    finally:
        machine.kill()
        machine.wait()


if __name__ == "__main__":
    main()
