"""The state as JSON: what every screen is told (design.md, section 5, and docs/api.md)."""

from collections.abc import Iterable
from typing import Any

from station.contract.commands import AddPlayer, Choose, Command, EndGame, EnterRoll, Rematch, SetHeld, Undo
from station.game import decide as decisions
from station.game import tray as sights
from station.game.sentences import undo_text, waiting_for
from station.game.slots import Die, faces_text
from station.game.state import Phase, Player, State
from station.game.state import totals as sums
from station.game.tray import Offer, Sight
from station.rules import RuleSet, built_in, built_in_ids, potentials


def snapshot(
    state: State,
    sight: Sight,
    *,
    choice: str | None = None,
    simulated: bool = False,
    house_rules: Iterable[RuleSet] = (),
) -> dict[str, Any]:
    """Everything a screen shows, without version and camera.

    choice: the box marked by the buttons. simulated: whether the command `throw` is there. house_rules:
    those that can be chosen besides the ones that come with the station.
    """
    now = sights.offer(state, sight)
    rules = state.rules
    return {
        "phase": sights.shown_phase(state, now).value,
        "waiting_for": sentence(state, now),
        "problem": problem(state, now),
        "rules": rules.id if rules else None,
        "rules_title": str(rules.title) if rules else None,
        "starts": str(rules.starts) if rules else None,
        "categories": [
            {"category": box.category, "label": str(box.label), "section": box.section.value}
            for box in (rules.boxes if rules else ())
        ],
        "rule_sets": [
            {"id": known.id, "title": str(known.title)}
            for known in (*(built_in(id_) for id_ in built_in_ids()), *house_rules)
        ],
        "house_rules": state.house or None,
        "game": state.game,
        "active_player": state.active if state.running else None,
        "throws_done": state.throws_done,
        "throws_allowed": rules.throws if rules else 0,
        "rolls_left": state.rolls_left if state.running else 0,
        "dice_count": rules.dice if rules else 5,
        "boxes_per_turn": rules.boxes_per_turn if rules else 1,
        "dice": [_die(die) | {"held": die.slot in state.held} for die in state.dice],
        "reading": _reading(state, now),
        "players": [_player(state, rules, i, player) for i, player in enumerate(state.players)],
        "choice": choice,
        "undo": undo_text(state),
        "commands": commands(state, now, simulated=simulated),
        "simulated": simulated,
        "winner": [state.players[i].name for i in state.winners],
        "finished": state.phase is Phase.FINISHED,
        "ended_early": state.ended_early,
    }


def _die(die: Die) -> dict[str, Any]:
    return {"slot": die.slot, "face": die.face, "colour": die.seen.colour if die.seen else None}


def _reading(state: State, now: Offer) -> dict[str, Any]:
    """What the camera shows. `fresh`: thrown since the last accepted roll; `dice` as they would count."""
    return {
        "status": now.status,
        "faces": list(now.faces),
        "reasons": list(now.reasons),
        "fresh": now.fresh,
        "dice": [
            _die(die)
            | {
                "held": bool(now.dice) and die.slot in state.held,
                "corrected": die.slot in now.corrected,
            }
            for die in now.listed
        ],
    }


def _player(state: State, rules: RuleSet | None, seat: int, player: Player) -> dict[str, Any]:
    total = sums(state, player)
    worth: dict[str, int] = {}
    if rules and state.running and seat == state.active and state.dice:
        faces = [die.face for die in state.dice]
        worth = potentials(rules, player.sheet, faces, state.throws_done)
    return {
        "name": player.name,
        "boxes": {
            category: player.sheet.points(category) for category in (rules.categories if rules else ())
        },
        "potentials": worth,
        "upper": total.upper,
        "missing_for_bonus": total.missing_for_bonus,
        "bonus": total.bonus,
        "extra": total.extra,
        "total": total.total,
    }


def sentence(state: State, now: Offer) -> str:
    """What the station waits for, with what the tray shows taken into account."""
    base = waiting_for(state)
    throwable = state.phase in {Phase.THROWING, Phase.HOLDING} and not _all_held(state)
    if not throwable:
        return base
    name = state.player.name
    return f"{name}: {said}" if (said := _on_the_tray(now)) else base


def _on_the_tray(now: Offer) -> str | None:
    """What to do about the dice on the tray; None when they are no news."""
    if now.status in {"moving", "covered"}:
        return "wait until the dice lie still" if now.status == "moving" else "take your hand off the tray"
    if now.status not in sights.RESTING or not now.fresh:
        return None
    if now.status == "unsure":
        return _lower(decisions.not_ready(now)).rstrip(".")
    if now.missing:
        return "put the held dice back, or correct them"
    return f"confirm the roll {faces_text(die.face for die in now.dice)}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def problem(state: State, now: Offer) -> str | None:
    """What is wrong on the tray, if anything."""
    if state.phase is Phase.HOLDING and now.fresh and now.missing and now.status in sights.RESTING:
        return decisions.held_changed(state, now)
    return None


def _all_held(state: State) -> bool:
    return state.rules is not None and len(state.held) >= state.rules.dice


def commands(state: State, now: Offer, *, simulated: bool) -> list[str]:
    """Names of the commands that can be carried out now, given good fields."""
    rules = state.rules
    count = rules.dice if rules else 5
    held = {die.slot: die.face for die in state.dice if die.slot in state.held}
    typed = EnterRoll(tuple(held.get(slot, 1) for slot in range(1, count + 1)))
    open_boxes = state.player.sheet.open(rules) if rules and state.running else ()
    trials: dict[str, Command] = {
        "enter_roll": typed,
        "set_held": SetHeld(state.held),
        "choose": Choose(),
        "undo": Undo(),
        "end_game": EndGame(),
        "rematch": Rematch(),
        "add_player": AddPlayer("\N{WHITE MEDIUM STAR}"),
    }
    found = [name for name, command in trials.items() if decisions.may(state, command)]
    if not state.running:
        found.append("start_game")
    if state.running and now.ready and now.fresh and not now.missing and "enter_roll" in found:
        found.append("accept_roll")
    found += _fixing(now) if "enter_roll" in found else []
    if state.dice and state.running and "correct_die" not in found:
        found.append("correct_die")
    if state.dice and open_boxes and state.phase in {Phase.HOLDING, Phase.CHOOSING}:
        found.append("score_box")
    if any(player.sheet.entries for player in state.players):
        found.append("correct_box")
    if simulated and "enter_roll" in found:
        found.append("throw")
    found.append("press")
    return found


def _fixing(now: Offer) -> list[str]:
    """Commands by which people may set the dice on the tray right."""
    if not now.fresh or now.status not in sights.RESTING:
        return []
    found = ["correct_die", "not_a_die"] if now.listed else []
    if not now.dice and len(now.listed) < now.wanted:
        found.append("missed_die")
    return [*found, "read_again"] if now.fixed else found
