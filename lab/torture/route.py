"""The trial of `make torture` in which nothing leads out: every packet that would leave in a game is counted.

A network namespace of its own (`unshare`, no right needed) has the loopback and one line outwards that ends
nowhere. What is sent to any other address, the question for a name included, goes into that line; the kernel
counts it there. By itself `python -m lab.torture.route` plays within such a namespace and prints its row.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import astuple
from pathlib import Path

from lab.torture.row import Row
from station.testing.station_process import PATIENCE_S, StationProcess

NAME = "no route out"
LINE = "out"
ELSEWHERE = ("203.0.113.9", 53)
"""An address of nobody (RFC 5737): what is sent there shows that the line counts."""
LAY = (
    "ip link set lo up",
    f"ip link add {LINE} type veth peer name nowhere",
    f"for end in {LINE} nowhere; do echo 1 > /proc/sys/net/ipv6/conf/$end/disable_ipv6; done",
    f"ip addr add 192.0.2.1/24 dev {LINE}",
    f"ip link set {LINE} up",
    "ip link set nowhere up",
    f"ip route add default dev {LINE}",
)
READ = ("/", "/tv", "/history", "/health", "/api/v1/state", "/api/v1/frame.jpg", "/api/v1/history")
SETTLES_S = 1.0


def no_route(_share: float = 1.0) -> Row:
    """A whole game in a namespace without a way out; what was sent outwards counts as wrongly accepted."""
    if not (shutil.which("unshare") and shutil.which("ip", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")):
        return Row(NAME, 0, 0, 0, "not tried: unshare or ip is missing")
    script = " && ".join(("PATH=$PATH:/usr/sbin:/sbin", *LAY, f"exec {sys.executable} -m lab.torture.route"))
    command = ["unshare", "--map-root-user", "--net", "sh", "-c", script]
    ended = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        return Row(NAME, 0, 0, 0, f"not tried: {ended.stderr.strip().splitlines()[-1]}")
    return Row(*json.loads(ended.stdout))


def sent() -> int:
    """Packets that went into the line so far."""
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()
    found = next(line.split(":")[1].split() for line in lines if line.strip().startswith(f"{LINE}:"))
    return int(found[9])


def play() -> Row:
    """One game from the start of the station to its end, every page looked at after each turn."""
    before = sent()
    with tempfile.TemporaryDirectory() as folder:
        station = StationProcess(Path(folder))
        try:
            requests, lost = game(station)
            time.sleep(SETTLES_S)
            leaving = sent() - before
        finally:
            station.stop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outwards:
        outwards.sendto(b"?", ELSEWHERE)
    time.sleep(SETTLES_S)
    if sent() == before + leaving:
        sys.exit("the line counts nothing")
    return Row(NAME, requests, lost, leaving, f"{leaving} packets sent outwards in a whole game")


def game(station: StationProcess) -> tuple[int, int]:
    """How many requests were made, and how many of them got no good answer."""
    requests = lost = 0
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s and not answered(f"{station.url}/api/v1/frame.jpg"):
        time.sleep(0.1)
    station.do("start_game", players=["Ana"], rules="yacht-1938")
    while not station.state()["finished"]:
        station.do("enter_roll", faces=[1, 2, 3, 4, 6])
        for path in READ:
            requests += 1
            lost += not answered(station.url + path)
        player = station.state()["players"][0]
        category = next(name for name, points in player["boxes"].items() if points is None)
        station.do("score_box", category=category)
    return requests, lost


def answered(url: str) -> bool:
    """Whether there is a page."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
            return bool(answer.read())
    except urllib.error.URLError:
        return False


if __name__ == "__main__":
    print(json.dumps(astuple(play())))
