"""Answers of /score, /advice and /hint: what dice are worth, and the best thing to do with them."""

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from messages.errors import FailedError
from station.game.state import rule_set
from station.rules import Entry, RuleSet, Sheet, built_in, potentials

if TYPE_CHECKING:
    from station.advice.advisor import Advisor
    from station.strategy.solver import Solution

GIVEN_MIN = 0.05
"""Points given away that are worth showing; less is rounded to nothing anyway."""


CHOICES = 5
"""So many holds, and so many boxes, are told with the chance to win."""

NO_ODDS: Mapping[str, Any] = {
    "chances": [],
    "errors": [],
    "words": "",
    "message": "",
    "exact": False,
    "holds": [],
    "boxes": [],
}
"""The answer while no game is on."""


class PreparingError(FailedError):
    """The values of this rule set are being worked out. HTTP 503."""

    code = "advice/preparing"


def score(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Points of these dice in every category of a rule set, or in one, as `yacht score --json` has them.

    Raises BadInputError for an unknown rule set or category and for a wrong number of dice.

    >>> score({"rules": "yacht-1938", "dice": [1, 2, 2, 4, 6], "category": "twos", "roll": 3})
    {'scores': {'twos': 4}}
    """
    rules = built_in(asked["rules"])
    points = potentials(rules, Sheet(), asked["dice"], asked["roll"])
    if asked.get("category") is not None:
        category = rules.box(asked["category"]).category
        points = {category: points[category]}
    return {"scores": points}


class Advice:
    """The advisor behind the API. Its tables are only read when somebody asks for the first time."""

    def __init__(self, folder: Path | None, advisor: "Advisor | None" = None) -> None:
        """folder: where values that had to be worked out are kept."""
        self._folder = folder
        self._lock = Lock()
        self._advisor = advisor

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """As `yacht hint --json`: {"holds": […], "boxes": […]}, best first.

        Raises BadInputError for a position that cannot be, PreparingError while values are worked out.
        """
        from station.strategy.hints import hint  # noqa: PLC0415 - the pages do not wait for numpy
        from station.strategy.position import position  # noqa: PLC0415

        rules = built_in(asked["rules"])
        where = position(rules, asked.get("open"), asked.get("upper", 0), asked.get("yachts", 0))
        solution = self.solution(rules)
        return hint(solution, where, tuple(asked["dice"]), asked["rolls_left"]).as_json()

    def of_table(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """What the active player had best do now.

        Gives {"slots": dice to hold, "box": the best box, "given": {category: points given away by it},
        "value": points still to come, "reason": a sentence}; {} when there is nothing to decide.
        """
        from station.strategy.hints import hint  # noqa: PLC0415
        from station.strategy.position import of_sheet  # noqa: PLC0415
        from station.strategy.reasons import reason  # noqa: PLC0415

        seat = state.get("active_player")
        faces = [die["face"] for die in state.get("dice", [])]
        if seat is None or not faces or len(faces) != state["dice_count"]:
            return {}
        rules = rules_of(state)
        solution = self.solution(rules)
        where = of_sheet(rules, sheet_of(state["players"][seat]))
        left = state["rolls_left"]
        found = hint(solution, where, tuple(faces), left)
        given = {box.category: found.value - box.value for box in found.boxes}
        best = found.holds[0].hold if found.holds else None
        told = "" if best is None else reason(solution, where, tuple(faces), left, best)
        return {
            "slots": None if best is None else slots_of(best, state["dice"]),
            "box": found.boxes[0].category if found.boxes else None,
            "given": {category: round(lost, 2) for category, lost in given.items() if lost >= GIVEN_MIN},
            "value": round(found.value, 2),
            "reason": told,
        }

    def odds(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Who is likely to win, as the table stands.

        Gives {"chances": one for each player, adding up to 1, or none while they are not known, "errors":
        the standard error of each, where they are estimated, "words": where playing to win differs from
        playing for points, "message": how far it is worked out, "exact": whether what follows is exact,
        "holds" and "boxes": what may be done now, best first, each with its "chance" to win for the active
        player, and each hold with its "slots"}.
        """
        seat = state.get("active_player")
        if seat is None or not state["players"]:
            return dict(NO_ODDS)
        sheets = [sheet_of(player) for player in state["players"]]
        faces = [die["face"] for die in state["dice"]]
        thrown = len(faces) == state["dice_count"]
        found = self._asked().odds(
            rules_of(state), sheets, seat, faces if thrown else (), state["rolls_left"] if thrown else None
        )
        holds = [
            {
                "hold": each["hold"],
                "slots": slots_of(tuple(each["hold"]), state["dice"]),
                "chance": each["chance"],
            }
            for each in found["holds"][:CHOICES]
        ]
        boxes = [{key: each[key] for key in ("category", "chance")} for each in found["boxes"][:CHOICES]]
        return {key: found[key] for key in NO_ODDS} | {"holds": holds, "boxes": boxes}

    def solution(self, rules: RuleSet) -> "Solution":
        """The values of a rule set. Raises PreparingError while they are worked out."""
        found = self._asked().solution(rules)
        if found is None:
            raise PreparingError(self._asked().preparation(rules).sentence)
        return found

    def _asked(self) -> "Advisor":
        from station.advice.advisor import Advisor  # noqa: PLC0415

        with self._lock:
            if self._advisor is None:
                self._advisor = Advisor(self._folder)
            return self._advisor


def rules_of(state: Mapping[str, Any]) -> RuleSet:
    """The rules of the game on the table, house rules included."""
    return rule_set(state["rules"], state.get("house_rules") or "")


def sheet_of(player: Mapping[str, Any]) -> Sheet:
    """The sheet of a player as the state shows it.

    Which box further yachts brought their points on top with is no matter to advice: the first has them.

    >>> sheet_of({"boxes": {"yacht": 50, "ones": 5, "twos": None}, "extra": 100}).entries
    (Entry(category='yacht', points=50, extra=100), Entry(category='ones', points=5, extra=0))
    """
    filled = [(category, points) for category, points in player["boxes"].items() if points is not None]
    extras = [player.get("extra", 0)] + [0] * len(filled)
    return Sheet(tuple(Entry(*box, extra) for box, extra in zip(filled, extras, strict=False)))


def slots_of(hold: tuple[int, ...], dice: list[dict[str, Any]]) -> list[int]:
    """Slots that keep these faces, dice already held first.

    >>> dice = [{"slot": 1, "face": 4, "held": False}, {"slot": 2, "face": 4, "held": True}]
    >>> slots_of((4,), dice)
    [2]
    """
    wanted = list(hold)
    slots = []
    for die in sorted(dice, key=lambda die: not die["held"]):
        if die["face"] in wanted:
            wanted.remove(die["face"])
            slots.append(die["slot"])
    return sorted(slots)
