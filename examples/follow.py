"""Follows a game over the API and tells what happens, one line each, until the game is over.

`python examples/follow.py http://yacht.local:8080`: for a sign over the door, a voice, a light show. It only
listens; what it may do as well stands in `docs/api.md`.
"""

import json
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any


def states(address: str) -> Iterator[dict[str, Any]]:
    """The state as it is and after every change: the stream of server-sent events."""
    event = ""
    house = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy leads out of it
    with house.open(f"{address}/api/v1/events") as stream:
        for line in stream:
            name, _, value = line.decode().rstrip().partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "state":
                yield json.loads(value)


def boxes(state: dict[str, Any]) -> dict[tuple[str, str], int | None]:
    """(player, category): points."""
    return {(each["name"], box): points for each in state["players"] for box, points in each["boxes"].items()}


before: dict[tuple[str, str], int | None] = {}
waiting = ""
for state in states(sys.argv[1]):
    for box, points in boxes(state).items():
        if before.get(box) is None and points is not None:
            print(f"{box[0]} scores {points} in {box[1]}", flush=True)
    before = boxes(state)
    if state["finished"]:
        print("Won by", *state["winner"], flush=True)
        break
    if state["waiting_for"] != waiting:
        waiting = state["waiting_for"]
        print(waiting, flush=True)
