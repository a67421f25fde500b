"""Carries out the Containerfile: with a builder where there is one, else step by step in a fresh Debian root.

`python -m lab.container`, as root. The image, or the root, then has to show a page, and to keep the games in
`/data`.
"""

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from release.wheels import FILES, ROOT, pinned, pip_arguments

FILE = ROOT / "Containerfile"
TRY = """
set -eu
. /shows_a_page.sh
shows_a_page setpriv --reuid {user} --regid {user} --init-groups {entry} --port 0 --camera simulated
kill "$running"
wait "$running" || :
test -s /data/yacht.sqlite3
test "$(stat -c %U /data/yacht.sqlite3)" = {user}
"""


def steps(text: str) -> Iterator[tuple[str, str]]:
    r"""Instruction and what it is given; comments are gone, and lines that go on are one.

    >>> list(steps("# Why.\nFROM debian\n\nRUN one && \\\n    two\n"))
    [('FROM', 'debian'), ('RUN', 'one &&     two')]
    """
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in kept.replace("\\\n", "").splitlines():
        if line.strip():
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def builder() -> str | None:
    """A program that builds images and works here."""
    for name in ("podman", "docker"):
        if (
            shutil.which(name)
            and subprocess.run((name, "info"), check=False, capture_output=True).returncode == 0
        ):
            return name
    return None


def built_by(program: str) -> None:
    """Build the image, run it, and ask it for a page. Raises CalledProcessError."""
    subprocess.run((program, "build", "--tag", "yacht-station", "--file", FILE, ROOT), check=True)
    asks = "import urllib.request as web; web.urlopen('http://127.0.0.1:8080')"
    wait = f'until python3 -c "{asks}" 2>/dev/null; do kill -0 $!; sleep 1; done'
    run = "/opt/yacht-station/bin/yacht run --data /data --camera simulated & " + wait
    subprocess.run(
        (program, "run", "--rm", "--entrypoint", "/bin/sh", "yacht-station", "-euc", run), check=True
    )


class Root:
    """A Debian in a folder: steps are carried out there as a builder would. Raises CalledProcessError."""

    def __init__(self, root: Path, wheels: Path) -> None:
        self.root, self.where, self.user, self.entry = root, "/", "root", ""
        self.environ = {
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": "/wheels",
            "DEBIAN_FRONTEND": "noninteractive",
            "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": "/root",
        }
        shutil.copytree(wheels, root / "wheels")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        shutil.copy(ROOT / "lab/shows_a_page.sh", root)

    def carry_out(self, word: str, given: str) -> None:
        """One instruction."""
        match word:
            case "FROM" | "VOLUME" | "EXPOSE":
                pass  # the root is there
            case "RUN":
                self.inside(given)
            case "WORKDIR":
                self.where = given
                (self.root / given[1:]).mkdir(parents=True, exist_ok=True)
            case "COPY":
                self.copy(*given.split())
            case "USER":
                self.user = given
            case "ENV":
                name, _, value = given.partition("=")
                self.environ[name] = value
            case "ENTRYPOINT":
                self.entry = shlex.join(json.loads(given))
            case _:
                raise ValueError(word)

    def copy(self, *names: str) -> None:
        """Files into a folder, or one folder to another."""
        to = self.root / self.where[1:] / names[-1]
        for each in map(ROOT.joinpath, names[:-1]):
            if each.is_dir():
                shutil.copytree(each, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(each, to)

    def inside(self, script: str) -> None:
        """Run it there."""
        mounted = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -euc "$2"'
        call = ("unshare", "--mount", "--pid", "--fork", "sh", "-euc", mounted, "step", self.root)
        subprocess.run((*call, f"cd {self.where}; {script}"), check=True, env=self.environ)


def fetched(folder: Path) -> None:
    """What pip installs, as it is set up here. Raises CalledProcessError."""
    machine = platform.machine()
    wanted = [f"{each.name}{each.specifier}" for each in pinned("3.13", machine, FILES[:1])]
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder)
    subprocess.run((*pip, *pip_arguments("3.13", machine), *wanted), check=True)


def main() -> None:
    """Try it, in one way or the other."""
    found = builder()
    if found is not None:
        built_by(found)
    else:
        made = subprocess.run(
            (ROOT / "lab/virtual_pi/debian_root.sh", "trixie"), check=True, capture_output=True, text=True
        )
        packed = Path(made.stdout.strip())
        with tempfile.TemporaryDirectory(dir=packed.parent) as folder:
            root, wheels = Path(folder) / "root", Path(folder) / "wheels"
            root.mkdir()
            root.parent.chmod(0o755)
            subprocess.run(("tar", "-C", root, "-xpf", packed), check=True)
            fetched(wheels)
            there = Root(root, wheels)
            for word, given in steps(FILE.read_text(encoding="utf-8")):
                there.carry_out(word, given)
            there.inside(TRY.format(user=there.user, entry=there.entry))
    sys.stdout.write(f"== all right, by {found or 'a Debian root'}\n")


if __name__ == "__main__":
    os.umask(0o022)
    main()
