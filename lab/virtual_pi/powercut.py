"""What a power cut may leave, and the game that is played meanwhile. States are those of the API, as JSON."""

import random
from typing import Any


def essence(shown: dict[str, Any]) -> dict[str, Any]:
    """What must not be lost of a state: whose turn it is, the dice, every box."""
    return {
        "phase": shown["phase"], "active_player": shown["active_player"], "throws": shown["throws_done"],
        "dice": [[die["face"], die["held"]] for die in shown["dice"] or []],
        "boxes": [player["boxes"] for player in shown["players"]], "count": filled(shown),
    }  # fmt: skip


def filled(shown: dict[str, Any]) -> int:
    """How many boxes are filled."""
    return sum(points is not None for player in shown["players"] for points in player["boxes"].values())


def compare(acknowledged: dict[str, Any], sent: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Say whether the state is the one acknowledged last, or what the command sent after it makes of that."""
    same = now == acknowledged
    further = not same and follows(acknowledged, sent, now)
    return {"lost": not same and not further, "same": same, "further": further,
            "acknowledged": acknowledged, "sent": sent, "found": now}  # fmt: skip


def follows(before: dict[str, Any], sent: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a command that was sent and never answered explains a state."""
    name, faces = sent["command"], [face for face, _ in now["dice"]]
    if name == "start_game":
        return bool(now["phase"] == "throwing" and now["count"] == 0 and now["throws"] == 0)
    if len(now["boxes"]) != len(before["boxes"]):
        return False  # another game, or none any more
    if name in {"enter_roll", "set_held"} and any(
        now[key] != before[key] for key in ("active_player", "boxes")
    ):
        return False
    if name == "enter_roll":
        return bool(now["throws"] == before["throws"] + 1 and sorted(faces) == sorted(sent["faces"]))
    if name == "set_held":
        held = [slot for slot, (_, kept) in enumerate(now["dice"], start=1) if kept]
        return bool(held == sent["slots"] and faces == [face for face, _ in before["dice"]])
    box = now["boxes"][before["active_player"]][sent["category"]]
    return bool(box is not None and now["count"] == before["count"] + 1)


def next_command(shown: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Something that brings the game on."""
    phase = shown["phase"]
    if phase in {"lobby", "finished"}:
        return {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}
    if phase == "throwing" and not shown["dice"]:
        return {"command": "enter_roll", "faces": [rng.randint(1, 6) for _ in range(5)]}
    if phase == "holding" and shown["rolls_left"] and rng.random() < 0.6:
        slots = sorted(rng.sample(range(1, 6), rng.randint(0, 4)))
        held = [die["slot"] for die in shown["dice"] if die["held"]]
        if slots != held:
            return {"command": "set_held", "slots": slots}
        faces = [die["face"] if die["held"] else rng.randint(1, 6) for die in shown["dice"]]
        return {"command": "enter_roll", "faces": faces}
    open_boxes = [
        box for box, points in shown["players"][shown["active_player"]]["boxes"].items() if points is None
    ]
    return {"command": "score_box", "category": rng.choice(open_boxes)}
