"""Logs the progress page of the first start; when the station runs, throws dice and records the reading.

`watch_card.py FOLDER`: seen.log has the progress, reading.json the reading.
"""

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any


def response(url: str, **sent: object) -> dict[str, Any] | None:
    """The JSON response of an address; None without one."""
    data = json.dumps(sent).encode() if sent else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - this machine
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310 - this machine
            found: dict[str, Any] = json.loads(reply.read())
            return found
    except (OSError, ValueError):
        return None


def page() -> str:
    """The page in a few words."""
    progress = response("http://127.0.0.1/progress.json")
    if progress is None:
        return "no page"
    if progress["done"]:
        return "done"
    trouble = f" ({progress['trouble']})" if progress["trouble"] else ""
    return f"{progress['step']} of {progress['steps']}: {progress['name']}{trouble}"


def main(folder: Path) -> None:
    """Log until there is a reading."""
    api, last = "http://127.0.0.1:8080/api/v1", ""
    while last != "done" and response(f"{api}/state") is None:
        seen = page()
        if seen != last:
            with (folder / "seen.log").open("a") as log:
                log.write(f"{seen}\n")
            last = seen
        time.sleep(0.5)
    while True:
        state = response(f"{api}/state") or {}
        if state.get("offer"):
            (folder / "reading.json").write_text(json.dumps(state["offer"]))
            return
        if state.get("phase") == "lobby":
            response(f"{api}/commands", command="start_game", players=["Ana"])
        response(f"{api}/commands", command="throw", faces=[1, 3, 3, 5, 6])
        time.sleep(5)


main(Path(sys.argv[1]))
