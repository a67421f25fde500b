"""From a card to the first reading: a machine starts from what `yacht card` made, and loses its power.

    sudo make -C lab card ARGS="DIR --cut 4 --cut 6"

The machine is User-Mode-Linux, with Debian in place of Raspberry Pi OS (`card_disk.sh`). What the page
of the first start says is printed as it changes, with seconds since the machine was first switched on.
"""

import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from lab.virtual_pi.machine import HERE, build, cut, lines, many_maps

PATIENCE_S = 5400.0
INTO_A_STEP_S = 5.0
"""So long after a step has begun the power goes."""


@dataclass(slots=True)
class Trial:
    """One card in one machine."""

    folder: Path
    kernel: Path
    began: float = field(default_factory=time.monotonic)
    logged: int = 0

    def switch_on(self) -> subprocess.Popen[bytes]:
        """Start the machine from its disk."""
        words = shlex.split(
            f"{self.kernel} ubd0={self.folder}/disk.img root=/dev/ubda rw mem=1536M con=null con0=null,fd:1"
            f" eth0=slirp,,{self.folder}/slirp panic=1"
        )
        line = (self.folder / "boot/cmdline.txt").read_text(encoding="utf-8")
        # A machine that starts itself anew would keep its command line.
        begun = (word for word in line.split() if word.startswith("systemd."))
        words += [word.replace("=reboot", "=poweroff") for word in begun]
        with (self.folder / "console.log").open("ab") as console:
            return subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True
            )

    def say(self, line: str) -> None:
        """Print what was seen, and keep it."""
        line = f"{time.monotonic() - self.began:6.0f} s  {line}"
        click.echo(line)
        with (self.folder / "trial.log").open("a", encoding="utf-8") as log:
            log.write(f"{line}\n")

    def until(self, wanted: str, machine: subprocess.Popen[bytes]) -> None:
        """Wait until the page begins with that."""
        while time.monotonic() - self.began < PATIENCE_S:
            seen = lines(self.folder / "host/seen.log")
            fresh, self.logged = seen[self.logged :], len(seen)
            for line in fresh:
                self.say(line)
            if any(line.startswith(wanted) for line in fresh):
                return
            if machine.poll() is not None:
                raise click.ClickException("the machine ended by itself; see console.log")
            time.sleep(0.2)
        raise click.ClickException("it took too long")


@click.command()
@click.option(
    "--cut", "cuts", type=int, multiple=True, default=(4, 5, 6), help="In these steps the power goes."
)
@click.option("--suite", default="trixie", help="Debian's name.")
@click.argument("folder", type=click.Path(path_type=Path, resolve_path=True))
def main(cuts: tuple[int, ...], suite: str, folder: Path) -> None:
    """Make the disk, start from it, cut the power, and read dice."""
    kernel = build("plain_kernel.sh")
    subprocess.run((str(HERE / "card_disk.sh"), suite, str(folder)), check=True)
    subprocess.run(
        (f"{sys.prefix}/bin/yacht", "card", "--language", "de", "--country", "DE", str(folder / "boot")),
        check=True,
    )
    for file in (folder / "boot").rglob("*"):
        file.chmod(0o755)  # as FAT shows all of them
    trial = Trial(folder, kernel)
    reading = folder / "host/reading.json"
    with many_maps():
        machine = trial.switch_on()
        if suite == "bookworm":  # firstrun.sh does its part, and switches off
            machine.wait(PATIENCE_S)
            trial.say("firstrun.sh has run")
            machine = trial.switch_on()
        try:
            for step in cuts:
                trial.until(f"{step} of", machine)
                time.sleep(INTO_A_STEP_S)
                cut(machine)
                trial.say("the power was cut")
                machine = trial.switch_on()
            trial.until("done", machine)
            while not reading.exists() and time.monotonic() - trial.began < PATIENCE_S:
                time.sleep(0.5)
            trial.say(f"read: {reading.read_text(encoding='utf-8')}")
        finally:
            cut(machine)


if __name__ == "__main__":
    main()
