"""Writes down what the first start's page says; when the station is there, throws dice and has them read.

`watch_card.py FOLDER`: seen.log is what was seen, reading.json what was read.
"""

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any


def asked(url: str, **sent: object) -> dict[str, Any] | None:
    """What an address answers; None where nobody does."""
    data = json.dumps(sent).encode() if sent else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - this machine
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - this machine
            found: dict[str, Any] = json.loads(answer.read())
            return found
    except (OSError, ValueError):
        return None


def page() -> str:
    """The page in a few words."""
    progress = asked("http://127.0.0.1/progress.json")
    if progress is None:
        return "no page"
    if progress["done"]:
        return "done"
    trouble = f" ({progress['trouble']})" if progress["trouble"] else ""
    return f"{progress['step']} of {progress['steps']}: {progress['name']}{trouble}"


def main(folder: Path) -> None:
    """Write until something was read."""
    api, last = "http://127.0.0.1:8080/api/v1", ""
    while last != "done" and asked(f"{api}/state") is None:
        seen = page()
        if seen != last:
            with (folder / "seen.log").open("a") as log:
                log.write(f"{seen}\n")
            last = seen
        time.sleep(0.5)
    while True:
        state = asked(f"{api}/state") or {}
        if state.get("offer"):
            (folder / "reading.json").write_text(json.dumps(state["offer"]))
            return
        if state.get("phase") == "lobby":
            asked(f"{api}/commands", command="start_game", players=["Ana"])
        asked(f"{api}/commands", command="throw", faces=[1, 3, 3, 5, 6])
        time.sleep(5)


main(Path(sys.argv[1]))
