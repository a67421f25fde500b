"""The first start: seven steps on a Pi that lacks network, a package or its power, and the page that says so.

The Pi's programs are stood in for by ones that refuse as the real ones do, in their words.
"""

import hashlib
import json
import random
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from messages.catalogue import languages
from messages.message import Message
from station.card import page
from station.card.files import PreparedCard
from station.card.first_start import FirstStart
from station.card.steps import STEPS, Machine, trouble
from tests.conftest import ROOT

PINS = ("click", "flask")
DEBIAN = ("libgl1", "avahi-daemon")
NO_NAME = "W: Failed to fetch http://mirror/InRelease  Temporary failure resolving 'mirror'\nE: Some index"
NO_PIP = "WARNING: Retrying after NewConnectionError\nERROR: No matching distribution found for click==8"
INTERRUPTED = "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."


class PowerCut(BaseException):
    """The plug was pulled."""


@dataclass
class Pi:
    """A Pi's disk below `root`, which outlives a power cut, and the programs that the steps call.

    cut: called between any two things that reach the disk. Without `online` nothing comes from outside;
    `gone` are packages nobody has.
    """

    root: Path
    cut: object = lambda: None
    online: bool = True
    gone: set[str] = field(default_factory=set)
    waited: list[float] = field(default_factory=list)
    unsynced: set[Path] = field(default_factory=set)
    damaged: int = 0
    served: bool = True

    def mark(self, name: str, text: str = "") -> None:
        path = self.root / "disk" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.cut()

    def write(self, path: Path, text: str) -> None:
        """As programs do that wait for no disk: a power cut leaves the name alone."""
        path.write_text(text)
        self.unsynced.add(path)
        self.cut()

    def plug_out(self) -> None:
        for path in self.unsynced:
            if path.exists():
                path.write_text("")
        self.unsynced.clear()

    def has(self, name: str) -> bool:
        return (self.root / "disk" / name).exists()

    def run(self, words: tuple[str, ...], more: Mapping[str, str]) -> tuple[int, str]:
        self.cut()
        called = {"dpkg": self.dpkg, "apt-get": self.apt_get, "sh": self.script, "systemctl": self.systemctl}
        return called.get(words[0], self.python)(words, more)

    def dpkg(self, words: tuple[str, ...], _: object) -> tuple[int, str]:
        assert words[1:] == ("--configure", "-a")
        for name in DEBIAN:
            if self.has(f"unpacked/{name}"):
                self.mark(f"installed/{name}")
                (self.root / "disk/unpacked" / name).unlink()
        return 0, ""

    def apt_get(self, words: tuple[str, ...], _: object) -> tuple[int, str]:
        if words[1] == "install":
            assert words[2:] == ("-y", "-qq", "--fix-broken")
            return self.apt(())
        assert words[1:] == ("update", "-qq", "--error-on=any"), "without that it succeeds with no network"
        if not self.online:
            return 100, NO_NAME
        self.mark("lists")
        return 0, ""

    def script(self, words: tuple[str, ...], more: Mapping[str, str]) -> tuple[int, str]:
        if words[1].endswith("/systemd/install.sh"):
            return self.install(more)
        assert words[1].endswith("/systemd/debian-packages.sh")
        assert words[2:] == ("appliance", "python3")
        return self.apt(DEBIAN)

    def systemctl(self, words: tuple[str, ...], _: object) -> tuple[int, str]:
        assert words[1:] == ("disable", "yacht-first-start.service")
        self.mark("disabled")
        return 0, ""

    def python(self, words: tuple[str, ...], _: object) -> tuple[int, str]:
        if words[1].endswith("/systemd/served.py"):
            return (0, "") if self.served else (1, "This is CPython 3.11.2, 32-bit, Linux on armv7l.\n")
        if words[2] == "pip":
            assert words[3] == "download"
            return self.pip(Path(words[0]), words[4:])
        assert words[:3] == ("python3", "-m", "venv")
        if not self.has("installed/libgl1"):
            return 1, "The virtual environment was not created successfully: ensurepip is not available."
        (Path(words[3]) / "bin").mkdir(parents=True)
        self.cut()
        self.write(Path(words[3]) / "bin/python", "python")
        return 0, ""

    def apt(self, names: tuple[str, ...]) -> tuple[int, str]:
        if any(self.has(f"unpacked/{name}") for name in DEBIAN):
            return 100, INTERRUPTED
        for name in names:
            if self.has(f"installed/{name}"):
                continue
            if not self.has("lists") or name in self.gone:
                return 100, f"E: Unable to locate package {name}"
            if not self.online:
                return 100, NO_NAME
            self.mark(f"unpacked/{name}")
            self.mark(f"installed/{name}")
            (self.root / "disk/unpacked" / name).unlink()
        return 0, ""

    def pip(self, python: Path, options: tuple[str, ...]) -> tuple[int, str]:
        assert python.read_text() == "python", "an environment that is half there"
        assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(options)
        pins = Path(options[options.index("--requirement") + 1]).read_text().split()
        folder = Path(options[options.index("--dest") + 1])
        folder.mkdir(exist_ok=True)
        for name in pins:
            if (folder / name).exists() and (folder / name).read_text() == name:
                continue
            if not self.online:
                return 1, NO_PIP
            if name in self.gone:
                return 1, f"ERROR: No matching distribution found for {name}==8"
            self.write(folder / name, name[:2])
            self.write(folder / name, name)
        return 0, ""

    def install(self, more: Mapping[str, str]) -> tuple[int, str]:
        assert more["PIP_NO_INDEX"] == "1"
        assert Path(more["WHEEL"]).read_bytes() == b"program"
        fetched = Path(more["PIP_FIND_LINKS"])
        if not all((fetched / name).read_text() == name for name in PINS):
            self.damaged += 1
            return 1, "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."
        assert all(self.has(f"installed/{name}") for name in DEBIAN)
        self.mark("station")
        return 0, ""

    def first_start(self) -> FirstStart:
        """Switch it on. Waiting passes no time here."""
        machine = Machine(
            self.root / "card",
            self.root,
            self.run,
            lambda: 10.0,
            lambda: self.has("station"),
            self.unsynced.clear,
        )

        def wait(seconds: float) -> None:
            self.waited.append(seconds)
            if len(self.waited) > 3:
                raise PowerCut

        return FirstStart(machine, wait)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return prepared(tmp_path)


def prepared(root: Path) -> Pi:
    """A Pi as it is after the card's begin.sh: the program unpacked, the network up."""
    card = root / "card"
    shared = root / "var/lib/yacht-first-start/program/y-1.data/data/share/yacht-station"
    for folder in (card, shared / "systemd", shared / "requirements", root / "proc/net"):
        folder.mkdir(parents=True)
    (card / "y.whl").write_bytes(b"program")
    (card / "card.json").write_text(
        PreparedCard("y.whl", hashlib.sha256(b"program").hexdigest(), 5.0, "de").text()
    )
    (shared / "requirements/run.txt").write_text("\n".join(PINS))
    (shared / "systemd/station.toml").write_text((ROOT / "systemd/station.toml").read_text())
    (root / "proc/net/route").write_text(
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
        "wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
    )
    return Pi(root)


def is_a_station(pi: Pi) -> bool:
    kept = pi.root / "var/lib/yacht-first-start"
    return (
        pi.has("station") and pi.has("disabled") and (kept / "done").exists()
        and not (kept / "wheels").exists() and not (kept / "pip").exists()
    )  # fmt: skip


def test_seven_steps_make_a_station_that_speaks_the_cards_language(pi):
    first = pi.first_start()
    first.run()
    assert is_a_station(pi)
    assert pi.waited == []
    assert first.progress.done
    assert 'language = "de"' in (pi.root / "etc/yacht-station/station.toml").read_text().splitlines()


@pytest.mark.parametrize("seed", range(40))
def test_power_may_go_anywhere_and_as_often_as_it_likes(seed, tmp_path):
    chance = random.Random(seed)
    pi = prepared(tmp_path)

    def cut() -> None:
        if chance.random() < 0.15:
            raise PowerCut

    pi.cut = cut
    starts = 0
    while not is_a_station(pi):
        starts += 1
        assert starts < 500
        try:
            pi.first_start().run()
        except PowerCut:
            pi.plug_out()
            pi.waited.clear()
    assert pi.damaged == 0
    assert all(pi.has(f"installed/{name}") for name in DEBIAN)


def test_what_is_done_is_not_done_again_after_a_power_cut(pi):
    pi.gone = {"flask"}
    with pytest.raises(PowerCut):
        pi.first_start().run()
    pi.gone, pi.online, pi.waited[:] = set(), True, []
    requests: list[str] = []
    again = pi.first_start()
    real = pi.run
    again.machine = Machine(
        again.machine.card, pi.root, lambda *call: requests.append(call[0][0]) or real(*call),
        lambda: 10.0, lambda: pi.has("station"), pi.unsynced.clear,
    )  # fmt: skip
    again.run()
    assert "apt-get" not in requests
    assert is_a_station(pi)


def offline(pi: Pi) -> None:
    pi.online = False


def unplugged(pi: Pi) -> None:
    (pi.root / "proc/net/route").write_text("Iface\tDestination\n")


def early(pi: Pi) -> None:
    (pi.root / "card/card.json").write_text(
        PreparedCard("y.whl", hashlib.sha256(b"program").hexdigest(), 99.0, "de").text()
    )


def rotten(pi: Pi) -> None:
    """What was fetched is damaged afterwards, once."""
    real = pi.install

    def install(more: Mapping[str, str]) -> tuple[int, str]:
        pi.install = real
        (Path(more["PIP_FIND_LINKS"]) / "click").write_text("")
        return real(more)

    pi.install = install


def torn(pi: Pi) -> None:
    (pi.root / "card/y.whl").write_bytes(b"prog")


def cloud_init_works(pi: Pi) -> None:
    (pi.root / "run/cloud-init").mkdir(parents=True)
    (pi.root / "proc/uptime").write_text("300.07 12.0\n")


def cloud_init_hangs(pi: Pi) -> None:
    cloud_init_works(pi)
    (pi.root / "proc/uptime").write_text("1801.2 12.0\n")


def cloud_init_ends(pi: Pi) -> None:
    (pi.root / "run/cloud-init/result.json").touch()


def route_by_ipv6(pi: Pi) -> None:
    (pi.root / "proc/net/ipv6_route").write_text(
        f"{'0' * 32} 00 {'0' * 32} 00 fe80 00000400 00000001 00000000 00000003    wlan0\n"
    )


def synchronized(pi: Pi) -> None:
    told = pi.root / "run/systemd/timesync/synchronized"
    told.parent.mkdir(parents=True)
    told.touch()


@pytest.mark.parametrize(
    ("spoil", "mend", "step", "said"),
    [
        (torn, lambda pi: (pi.root / "card/y.whl").write_bytes(b"program"), "look", "card/trouble/damaged"),
        (
            lambda pi: setattr(pi, "served", False),
            lambda pi: setattr(pi, "served", True),
            "look",
            "card/trouble/system",
        ),
        (unplugged, route_by_ipv6, "network", "card/trouble/network"),
        (early, synchronized, "clock", "card/trouble/clock"),
        (cloud_init_works, cloud_init_ends, "packages", "card/trouble/busy"),
        (offline, lambda pi: setattr(pi, "online", True), "packages", "card/trouble/internet"),
        (lambda pi: pi.gone.add("libgl1"), lambda pi: pi.gone.clear(), "packages", "card/trouble/package"),
        (lambda pi: pi.gone.add("click"), lambda pi: pi.gone.clear(), "python", "card/trouble/package"),
    ],
)
def test_what_is_missing_is_reported_and_it_goes_on_by_itself_when_it_is_there(pi, spoil, mend, step, said):
    spoil(pi)
    first = pi.first_start()
    shown = []

    def wait(seconds: float) -> None:
        shown.append((first.progress, seconds))
        if len(shown) == 2:
            mend(pi)

    first.wait = wait
    first.run()
    assert is_a_station(pi)
    assert [progress.trouble.key for progress, _ in shown] == [said, said]
    assert [tuple(STEPS)[progress.step - 1] for progress, _ in shown] == [step, step]
    assert [seconds for _, seconds in shown] == [10.0, 20.0]


@pytest.mark.parametrize(("spoil", "waits"), [(rotten, [10.0]), (cloud_init_hangs, [])])
def test_what_is_damaged_is_fetched_again_and_a_cloud_init_that_hangs_not_waited_for(pi, spoil, waits):
    spoil(pi)
    pi.first_start().run()
    assert is_a_station(pi)
    assert pi.waited == waits


def test_a_loopback_is_no_network(pi):
    unplugged(pi)
    (pi.root / "proc/net/ipv6_route").write_text(
        f"{'0' * 32} 00 {'0' * 32} 00 {'0' * 32} ffffffff 00000001 00000000 00200200       lo\n"
    )
    with pytest.raises(PowerCut):
        pi.first_start().run()
    assert (pi.root / "var/lib/yacht-first-start/reached").read_text() == "1"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (NO_NAME, "internet"),
        (NO_PIP, "internet"),
        ("E: Unable to locate package libgl1", "package"),
        ("E: Package 'libgl1' has no installation candidate", "package"),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)", "busy"),
        ("E: You don't have enough free space in /var/cache/apt/archives/.", "full"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "full"),
        ("E: Release file for http://mirror is not valid yet (invalid for another 3h).", "clock"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "hash"),
        ("install: /opt/yacht-station cannot be written\n", "failed"),
    ],
)
def test_what_programs_print_is_reported_in_words(told, said):
    found = trouble(told)
    assert found.code == f"card/trouble/{said}"
    if said == "package":
        assert found.message.values["name"] == "libgl1"


@contextmanager
def shown(progress: page.StartProgress, default: str = "en") -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), page.handler(lambda: progress, default, lambda: "yacht"))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def asked(address: str, **head: str) -> str:
    named = {name.replace("_", "-"): value for name, value in head.items()}
    with urllib.request.urlopen(urllib.request.Request(address, headers=named), timeout=10) as answer:  # noqa: S310
        return answer.read().decode()


@pytest.mark.parametrize(
    ("language", "step", "missing"),
    [
        ("en", "4 of 7: installing packages", "The internet cannot be reached."),
        ("de", "4 von 7: Pakete installieren", "Das Internet ist nicht zu erreichen."),
        ("fr", "4 sur 7\u202f: installer les paquets", "Internet est hors d\u2019atteinte."),
    ],
)
def test_the_page_says_in_three_languages_how_far_it_is_and_what_is_missing(language, step, missing):
    with shown(page.StartProgress(4, Message("card/trouble/internet"))) as address:
        text = asked(address, Accept_Language=f"{language}-XX,xx;q=0.5")
        assert f'<html lang="{language}">' in text
        assert step in text
        assert missing in text
        assert asked(f"{address}/?language={language}", Accept_Language="en,de,fr") == text
        others = set(languages()) - {language}
        assert all(f'href="/?language={each}"' in text for each in others)


def test_a_browser_with_another_language_gets_the_cards():
    with shown(page.StartProgress(1), "fr") as address:
        assert '<html lang="fr">' in asked(address, Accept_Language="nl")


def test_the_page_leads_to_the_station_by_the_name_it_was_called():
    with shown(page.StartProgress(7, done=True)) as address:
        assert 'href="http://yacht.local:8080/"' in asked(address, Host="yacht.local")
        assert 'href="http://[fe80::1]:8080/"' in asked(address, Host="[fe80::1]:80")
        assert json.loads(asked(f"{address}/progress.json", Host="yacht")) == {
            "step": 7, "steps": 7, "name": "start", "trouble": None, "done": True,
            "station": "http://yacht:8080/",
        }  # fmt: skip


def test_nothing_of_a_request_or_a_program_becomes_part_of_the_page():
    with shown(page.StartProgress(6, Message("card/trouble/failed", what="<script>1</script>"))) as address:
        text = asked(f"{address}/?language=<script>2", Host='"><script>3</script>')
        assert text.count("<script>") == 1
        assert '"><' not in text.split("</style>")[1].split("<script>")[1]


def test_it_runs_before_anything_is_installed():
    """Without site-packages, as the system's own Python is at the first start."""
    call = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom station.card import first_start, page\n"
    call += "print(page.html(page.StartProgress(4), 'fr', 'http://yacht.local:8080/'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", call], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "4 sur 7" in done.stdout
