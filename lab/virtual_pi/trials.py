"""What is tried on the virtual Pi. Runs there as root, with Python's own library and what stands here.

The kernel command line names the trial (yacht.try=NAME); each ends with one JSON line in /host/results.jsonl,
after which the machine is switched off. /host is a folder of the machine around it.
"""

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lab.virtual_pi import bare
from lab.virtual_pi.guest_station import (
    ADDRESS,
    SETTINGS,
    SILENT_S,
    VirtualPanel,
    command,
    quietly,
    settings,
    sh,
    show,
    state,
    until,
    warnings,
)
from lab.virtual_pi.powercut import compare, essence, next_command

HOST = bare.HOST if bare.is_process_1() else Path("/host")


def try_install() -> dict[str, Any]:
    """`make install` under a running systemd; then what systemd makes of the service."""
    environ = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "HOME": "/root"}
    sh("cp", "-r", "/host/project", "/src/")
    start_s = time.monotonic()
    output = sh("make", "-s", "-C", "/src/project", "install", env=environ)
    took_s = time.monotonic() - start_s
    print(output, flush=True)
    until("the station answers", state)
    found: dict[str, Any] = {"install_s": round(took_s), "state": show("ActiveState", "WatchdogUSec", "User")}
    found["memory_mb"] = round(int(show("MemoryCurrent")["MemoryCurrent"]) / 1e6)
    found["security"] = (
        sh("systemd-analyze", "security", "--no-pager", "yacht-station").strip().splitlines()[-1]
    )
    verified = subprocess.run(
        ["/usr/bin/systemd-analyze", "verify", "--man=no", "yacht-station.service", "yacht-backup.timer"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found["verify"] = verified.stderr
    found["stop_s"] = stop_with_viewers(3)
    found["stop_result"] = show("Result")["Result"]
    found["ok"] = found["stop_result"] == "success"
    if not found["ok"]:
        found["stop_journal"] = sh("journalctl", "-u", "yacht-station", "-n", "60", "--no-pager", "-o", "cat")
    sh("systemctl", "start", "yacht-station")
    until("the station answers", state)
    pid = show("MainPID")["MainPID"]
    status = Path(f"/proc/{pid}/status").read_text()
    found["no_new_privileges"] = re.findall(r"NoNewPrivs:\t(\d)", status)
    found["seccomp"] = re.findall(r"Seccomp:\t(\d)", status)
    found["capabilities"] = re.findall(r"CapBnd:\t(\w+)", status)
    found["devices"] = devices(pid)
    found["fenced"] = fenced()
    sh("kill", "-STOP", pid)  # it hangs
    # for three minutes, where its camera is being opened just then
    until("the watchdog ends it", lambda: show("NRestarts")["NRestarts"] != "0", SILENT_S)
    until("the station answers again", state)
    found["watchdog"] = "ended and restarted a station that hung"
    if "There is no" not in sh("/usr/local/bin/yacht", "backup", "--help", check=False):
        found["backup"] = quietly(lambda: sh("systemctl", "start", "yacht-backup") or "ok")
        found["copies"] = [str(p) for p in Path("/var/lib/yacht-station").glob("backups/*")]
    found["journal_warnings"] = warnings()
    found["bad_update"] = bad_update(environ)
    return found


def pictures() -> bool:
    """Whether there is a picture of the tray."""
    with urllib.request.urlopen(f"{ADDRESS}/api/v1/frame.jpg", timeout=30) as answer:  # noqa: S310 - http
        return bool(answer.read())


def bad_update(environ: dict[str, str]) -> str:
    """Install a program that cannot run over the one that does; what `make install` says about it."""
    with Path("/src/project/station/commands/run.py").open("a") as file:
        file.write("raise SystemExit(1)\n")
    done = subprocess.run(
        ["/usr/bin/make", "-s", "-C", "/src/project", "install"],
        env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode, "a program that does not start was called installed"
    until("the program before answers", state)
    return next(
        (line for line in done.stderr.splitlines() if line.startswith("install:")), done.stderr[-300:]
    )


def fenced() -> dict[str, str]:
    """What comes of trying what the unit forbids: a device that is no camera, an address outside."""
    forbidden = ("DevicePolicy=closed", "IPAddressDeny=any", "IPAddressAllow=127.0.0.1")
    run = ("systemd-run", "--quiet", "--wait", "--pipe", *(f"--property={each}" for each in forbidden))
    outside = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'', ('127.0.0.2', 9))"
    disk = sh("findmnt", "--noheadings", "--output", "SOURCE", "/").strip()
    tries = {"disk": ("head", "-c1", disk), "beyond": ("python3", "-c", outside)}
    found = {}
    for name, words in tries.items():
        done = subprocess.run([*run, *words], capture_output=True, text=True, check=False)
        found[name] = done.stderr.strip()[-60:] or "went through"
    return found


def devices(pid: str) -> list[str]:
    """The devices a process has open."""
    targets = (str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir())
    return sorted({target for target in targets if target.startswith("/dev/")})


def stop_with_viewers(count: int) -> float:
    """Seconds that stopping takes while viewers listen."""
    for _ in range(count):
        stream = urllib.request.urlopen(f"{ADDRESS}/api/v1/events", timeout=60)  # noqa: S310 - http
        threading.Thread(target=lambda s=stream: quietly(s.read), daemon=True).start()
    time.sleep(1)
    start_s = time.monotonic()
    sh("systemctl", "stop", "yacht-station")
    return round(time.monotonic() - start_s, 2)


def try_turn() -> dict[str, Any]:
    """A full turn with the pins alone: real lgpio through gpiozero on simulated lines."""
    settings('camera = "simulated"\nbuttons = "gpio"\n\n[simulated]\npace = 4\nseed = 5\n')
    panel = VirtualPanel()
    time.sleep(1.5)  # the lamp test
    command("end_game") if state()["phase"] != "lobby" else None  # what a trial before has left
    command("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    roll(panel, [5, 5, 3, 2, 1])
    held = [die["slot"] for die in state()["dice"] if die["face"] == 5]
    for slot in held:
        panel.press(f"hold-{slot}")
        until("the lamp burns", partial(panel.burns, f"hold-{slot}"))
    assert [die["slot"] for die in state()["dice"] if die["held"]] == held
    free = next(die["slot"] for die in state()["dice"] if die["slot"] not in held)
    latencies = sorted(panel.press_to_lamp_s(f"hold-{free}") for _ in range(20))
    assert not panel.burns(f"hold-{free}"), "twenty presses leave a die as it was"
    roll(panel, [5, 4, 4])
    kept = {die["slot"]: die["face"] for die in state()["dice"]}
    assert all(kept[slot] == 5 for slot in held), kept
    panel.press("confirm", for_s=1.2)
    until("choosing a box", lambda: state()["phase"] == "choosing")
    marks = [state()["choice"]]
    panel.press("hold-5")
    until("the mark moves", lambda: state()["choice"] != marks[0])
    marks.append(state()["choice"])
    panel.press("hold-1")
    until("the mark moves back", lambda: state()["choice"] == marks[0])
    panel.press("confirm")
    after = until("the next player's turn", lambda: state()["active_player"] == 1 and state())
    points = after["players"][0]["boxes"][marks[0]]
    assert points is not None
    return {
        "held": held, "marks": marks, "box": marks[0], "points": points,
        "press_to_lamp_ms": [round(1000 * value, 1) for value in (latencies[10], latencies[-1])],
        "pins_open_by": show("MainPID"), "journal_warnings": warnings(),
    }  # fmt: skip


def roll(panel: VirtualPanel, faces: list[int]) -> None:
    """Let the simulated hand throw, wait for the reading, and confirm with the button."""
    before = state()["throws_done"]
    command("throw", faces=faces)
    until("a roll can be read", lambda: state()["reading"]["status"] == "ready" and panel.burns("confirm"))
    panel.press("confirm")
    until("the roll counts", lambda: state()["throws_done"] == before + 1)


def try_camera() -> dict[str, Any]:
    """A turn from the real picamera2 on libcamera's virtual camera, confirmed with the pins."""
    script = json.loads((HOST / "frames.json").read_text())
    sh("sh", "-c", "rm -rf /frames/* && cp /host/frames/*.jpg /frames/")
    refused = without_heap()
    panel = VirtualPanel()
    command("end_game") if state()["phase"] != "lobby" else None
    command("start_game", players=["Ana"], rules="yacht-1938")
    camera = until("the camera is there", lambda: state()["camera"]["ok"] and state()["camera"])
    seen: list[list[int]] = []
    for number, step in enumerate(script["rolls"], start=1):
        counted = confirm(panel, number, sorted(step["faces"]))
        seen.append(sorted(die["face"] for die in counted["dice"]))
    panel.press("confirm", for_s=1.2)
    until("choosing a box", lambda: state()["phase"] == "choosing")
    box = state()["choice"]
    panel.press("confirm")
    after = until("the box is filled", lambda: state()["players"][0]["boxes"][box] is not None and state())
    return {"without_heap": refused, "camera": camera, "rolls": seen,
            "box": box, "points": after["players"][0]["boxes"][box],
            "memory_mb": round(int(show("MemoryCurrent")["MemoryCurrent"]) / 1e6),
            "journal_warnings": warnings()}  # fmt: skip


def without_heap() -> str:
    """Start without access to the camera's buffers; return the message. Then the process gets the camera.

    Its constructor fails there after it has taken the camera.
    """
    heap = Path("/dev/dma_heap/system")
    mode = heap.stat().st_mode
    heap.chmod(0)
    settings('camera = "picamera"\nbuttons = "gpio"\n')
    before = show("MainPID")
    # The virtual camera opens more slowly than a start waits: at first it is reported as not responding.
    camera = until(
        "it says that the camera does not open",
        lambda: "does not open" in state()["camera"]["message"] and state()["camera"],
        2 * SILENT_S,
    )
    heap.chmod(mode)
    until("the camera is there after all", lambda: state()["camera"]["ok"] and pictures(), 2 * SILENT_S)
    assert show("MainPID") == before, "only a new process got the camera"
    message: str = camera["message"]
    return message


def can_confirm(panel: VirtualPanel, faces: list[int]) -> bool:
    """Whether these faces are read and the lamp asks for a yes."""
    reading = state()["reading"]
    return reading["status"] == "ready" and reading["faces"] == faces and panel.burns("confirm")


def confirm(panel: VirtualPanel, number: int, faces: list[int]) -> dict[str, Any]:
    """Confirm a roll as soon as it can be; again, when a hand came in between. Returns the new state."""
    for _ in range(10):
        until(f"roll {number} is read", partial(can_confirm, panel, faces), 240)
        panel.press("confirm")
        try:
            counted: dict[str, Any] = until("it counts", partial(thrown, number), 3)
        except TimeoutError:
            continue
        return counted
    raise TimeoutError(f"roll {number} could not be confirmed")


def thrown(number: int) -> dict[str, Any] | None:
    """The state once so many throws of the turn count."""
    shown = state()
    return shown if shown["throws_done"] == number else None


def try_cut() -> dict[str, Any]:
    """Check what the last power cut left, then play until the power goes.

    Every answer to a command is written beside the machine before the next command is sent.
    """
    settings_now = 'camera = "simulated"\nbuttons = "{}"\n\n[simulated]\npace = 10\n'
    if bare.is_process_1():
        bare.start_station(settings_now.format("none"))
    elif not SETTINGS.exists() or SETTINGS.read_text() != settings_now.format("gpio"):
        settings(settings_now.format("gpio"))
    until("the station answers", state, 900)
    acknowledged, sent = HOST / "acknowledged.json", HOST / "sent.json"
    if acknowledged.exists():
        checked = compare(
            json.loads(acknowledged.read_text()), json.loads(sent.read_text()), essence(state())
        )
        with (HOST / "cuts.jsonl").open("a") as file:
            file.write(json.dumps(checked) + "\n")
    rng = random.Random()  # noqa: S311 - a game
    keep(acknowledged, essence(state()))
    while True:
        step = next_command(state(), rng)
        keep(sent, step)
        keep(acknowledged, essence(command(**step)))


def keep(path: Path, value: dict[str, Any]) -> None:
    """Write in one step."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value))
    part.replace(path)


TRIALS: dict[str, Callable[[], dict[str, Any]]] = {
    "install": try_install, "turn": try_turn, "camera": try_camera, "cut": try_cut,
}  # fmt: skip


def main() -> None:
    """Run the trial of the kernel command line, write its result, switch off."""
    wanted = re.findall(r"yacht\.try=(\w+)", Path("/proc/cmdline").read_text())
    if not wanted:
        return
    name = wanted[0]
    result: dict[str, Any] = {
        "trial": name,
        "ok": False,
        "uptime_s": float(Path("/proc/uptime").read_text().split()[0]),
    }
    try:
        result |= {"ok": True, **TRIALS[name]()}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the result
        result |= {"ok": False, "error": f"{type(error).__name__}: {error}"}
        traceback.print_exc(file=sys.stdout)
        print(sh("journalctl", "-b", "-n", "80", "--no-pager", check=False), flush=True)
    with (HOST / "results.jsonl").open("a") as file:
        file.write(json.dumps(result) + "\n")
    if bare.is_process_1():
        bare.switch_off()
    else:
        sh("systemctl", "--no-block", "poweroff")


if __name__ == "__main__":
    main()
