"""Walks: evenings at a table by chance, the same ones every time, written down step by step.

Somebody throws, nudges dice, puts a hand before the camera, presses buttons and asks for anything, sensible
or not. `golden/walks/NAME.json` records of each step what was done, which events were written or why it was
refused, and what changed in the state that screens see: sentences as keys of the catalogue with their values,
so that a better wording changes nothing here.

    python -m tests.table.walks general-0           # print that walk
    python -m tests.table.walks general-0 --step 7  # print that step
    python -m tests.table.walks --write             # record all walks again after an intended change
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station import games
from station.contract.command import Button
from station.contract.commands import COMMANDS, AcceptRoll, ScoreBox, StartGame
from station.contract.view import in_json
from station.features.computer_players.deciding import ComputersAtTable, Move
from station.features.two_homes.fair_throw import FairThrow, Secrets
from station.features.two_homes.feature import TablePart
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import Question, of_last_roll
from station.features.two_homes.line.other_home import OtherHome
from station.game import notation, thrown_dice
from station.game.boxes import writable
from station.game.events import HeldSet, RollAccepted, from_json
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State
from station.game.replaying import renumbered, steps
from station.game.situation import GameCommand
from station.game.way import WAY
from station.integrations.happenings import table_events
from station.rules.dice import ALIKE
from station.store.event_log import MemoryLog
from station.table.play import Habits, Listeners
from station.table.table import Table
from tests.game.deciding import decide
from tests.table.chance import Chance
from tests.table.evenings import EVENINGS
from tests.table.recording import changes, plain, written
from vision.reading import Colour, DieReading, Reading, Reason, Status

GOLDEN = Path(__file__).parent / "golden" / "walks"
LENGTH = 30
SEEDS = 2
NAMES = ("Ana", "Ben", "Cléo", "Dana", " ben ", "", "x" * 30)
BODIES = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.BLACK, Colour.YELLOW, Colour.RED, Colour.WHITE)
LIKELY = (
    *("accept_roll", "set_held", "set_held", "score_box", "score_box", "ready", "ready", "announce_box"),
    *("enter_roll", "throw", "draw_roll", "computer_move", "computer_move", "choose", "press"),
    *("rematch", "correct_box", "keep_roll", "question_die", "let_stand"),
)
"""Asked for more often than the rest, so that games get on."""
RARE = ("end_game", "remove_player", "start_game", "rename_player", "add_player")
ORDER = (
    *("enter_roll", "set_held", "undo", "end_game", "rematch", "add_player", "choose", "start_game"),
    *("accept_roll", "correct_die", "not_a_die", "missed_die", "read_again", "score_box", "keep_roll"),
    *("announce_box", "change_bank", "rename_player", "move_player", "remove_player", "ready", "unready"),
    *("choose_player", "correct_box", "throw", "draw_roll", "computer_move", "press", "question_die"),
    "let_stand",
)
"""In which a walk goes through the commands on offer, so that it is the same walk whatever theirs is."""
LOOKS = (
    *("still", "moving", "covered", "empty", "nudge", "nudge", "touch", "turn", "gone", "lost"),
    *("keeper", "keeper", "keeper"),
)


def secrets(throw: FairThrow) -> Secrets:
    """Of both homes, by the throw alone."""
    return throw.name.ljust(32, b"a")[:32], throw.name.ljust(32, b"z")[:32]


class Walk(Chance):
    """One evening of that name. number: another one is another evening of that kind."""

    def __init__(self, name: str, number: int) -> None:
        evening = EVENINGS[name]
        super().__init__(f"{name} {number}")
        self.evening, self.now_s = evening, 0.0
        wanted = str(evening.start.get("rules", ""))
        text = evening.house or games.texts().get(wanted)
        own = {wanted: text} if text else {}
        self._log, self._dice = MemoryLog(), list[DieReading]()
        self._does: Any = None
        self._besides: list[Any] = []
        self._shown: dict[str, Any] = {}
        self.table = Table(
            self._log,
            thrower=self if evening.simulated else None,
            house_rules=lambda: own,
            draw=self.below,
            clock=lambda: self.now_s,
            habits=Habits(held_aside=evening.aside),
            at_table=[ComputersAtTable(mind, draws=evening.drawn), Home(guests=evening.guests, fair=secrets)],
            listeners=Listeners(
                corrected=lambda x, y, face: self._besides.append({"corrected": [x, y, face]}),
                confirmed=lambda state: self._besides.append({"confirmed": state.faces}),
            ),
        )

    def steps(self) -> Iterator[dict[str, Any]]:
        """The record of each step, and at last that of the whole evening."""
        yield self._step(lambda: self._ask(StartGame(**self.evening.start)))
        for _ in range(LENGTH):
            what = self.below(100)
            if what < (50 if self.evening.house else 25):
                yield self._step(self._throw)
                if "accept_roll" in self.table.snapshot().commands and not self.once_in(3):
                    yield self._step(lambda: self._ask(AcceptRoll()))
                    if self.evening.house and not self.once_in(4):
                        yield self._step(lambda: self._ask(self._next_box()))
            elif what < (70 if self.evening.hands else 35):
                yield self._step(self._look)
            elif self.evening.guests and self.once_in(2):
                yield self._step(self._tell)
            else:
                yield self._step(self._ask)
        yield self._end()

    # -- the tray --------------------------------------------------------------------------------------

    def throw(
        self, count: int, *, held: Sequence[tuple[int, int]] = (), faces: Sequence[int] | None = None
    ) -> None:
        """The simulated hand is told to."""
        self._besides.append({"hand throws": count, "held": held, "faces": faces})

    def lay(self, place: int, face: int, *, kept: bool) -> None:
        """The simulated hand is told to."""
        self._besides.append({"hand lays": place, "face": face, "kept": kept})

    def _throw(self) -> None:
        """Dice are thrown: mostly those that are not held."""
        self._does = "throw"
        if not self.once_in(5):
            self._offer(Status.MOVING if not self.once_in(4) else Status.COVERED)
        stay = []
        view = self.table.snapshot()
        for held in () if self.evening.aside or self.once_in(8) else [d.face for d in view.dice if d.held]:
            stay += [die for die in self._dice if die.face == held and die not in stay][:1]
        count = self.table.dice_expected
        thrown = self.faces(max(count - len(stay), 0))
        self._dice = stay + [self._die(i, face) for i, face in enumerate(thrown, start=len(stay))]
        if self.once_in(12):
            self._dice.pop() if self.once_in(2) else self._dice.append(self._die(9, 6))
        self._offer(Status.UNSURE if self.once_in(8) else Status.READY)

    def _die(self, number: int, face: int) -> DieReading:
        at = (100.0 * number + 50 + self.below(30), 100.0 + self.below(400))
        body = BODIES[number % self.evening.bodies] if self.evening.bodies > 1 else Colour.WHITE
        return DieReading(face, 0.9, at, 60.0, 0.0, body, number if self.evening.tracked else None)

    def _look(self) -> None:
        """Something is seen of the dice that lie there."""
        what = self.one_of(LOOKS)
        self._does, self.now_s = f"camera: {what}", self.now_s + 15
        if what == "lost":
            self.table.camera(name="camera", ok=False, message=Message("homes/unfair"))
            self.table.camera(name="camera", ok=True)
            return
        which = self.below(len(self._dice) or 1)
        changes: dict[str, Callable[[DieReading], dict[str, Any]]] = {
            "nudge": lambda die: {"center": (die.center[0] + 20 + self.below(60), die.center[1])},
            "touch": lambda die: {"center": (die.center[0], die.center[1] + 4)},
            "turn": lambda die: {"face": 7 - die.face},
            "keeper": lambda die: {"kept": not die.kept, "center": (die.center[0], die.center[1] + 40)},
        }
        if what in changes and self._dice:
            self._dice[which] = replace(self._dice[which], **changes[what](self._dice[which]))
        if what == "gone":
            self._offer(Status.READY, self._dice[:which] + self._dice[which + 1 :])
        elif what in {"moving", "covered", "empty"}:
            self._offer(Status(what))
        else:
            self._offer(Status.READY)

    def _offer(self, status: Status, dice: Sequence[DieReading] | None = None) -> None:
        resting = status in {Status.READY, Status.UNSURE}
        seen = (self._dice if dice is None else dice) if resting else ()
        if not seen and resting:
            status = Status.EMPTY
        unsure = status is Status.UNSURE and not self.once_in(3)
        reasons = (self.one_of(tuple(Reason)),) if unsure else ()
        self.table.offer(Reading(status, tuple(seen), reasons), taken_s=self.now_s)

    # -- what is asked for -----------------------------------------------------------------------------

    def _ask(self, asked: Any = None) -> None:
        """Ask for something: mostly for what can be done."""
        if asked is None:
            view = self.table.snapshot()
            may = sorted(view.commands, key=lambda name: (*ORDER, name).index(name))
            likely = [name for name in LIKELY if name in may]
            if self.once_in(4):
                name = self.one_of(sorted(COMMANDS))
            elif likely and not self.once_in(4):
                name = self.one_of(likely)
            else:
                name = self.one_of(may)
            if view.phase == "lobby" and self.once_in(2):
                name = "start_game"
            elif name in RARE and not self.once_in(3):
                name = self.one_of(likely or may)
            asked = COMMANDS[name](**self._fields(name))
        self._does = plain(asked)
        self.table.execute(asked)

    def _next_box(self) -> GameCommand:
        """The box that pays most is filled, or chosen where all play at once."""
        view = self.table.snapshot()
        seats = [i for i, player in enumerate(view.players) if player.potentials]
        seat = self.one_of(seats) if seats else 0
        worth = view.players[seat].potentials
        box = max(worth, key=lambda box: worth[box], default="choice")
        return ScoreBox(category=box, player=seat if not view.in_turns else None)

    def _tell(self) -> None:
        """The other home tells what it has decided or asks; also what it may not."""
        there, state = OtherHome(self.table), self.table.moment()[1]
        home = "south" if self.once_in(9) else "north"
        if self.once_in(3):
            last = self.table.snapshot().part(TablePart).trays
            now = of_last_roll(state) if state.players else None
            name = f"{state.game}-{self.below(len(state.past) or 1)}"
            name = name if now is None or self.once_in(5) else now.name
            where = home if now is None or self.once_in(5) else now.home
            asked = Question(where, name, 1 + self.below(5), 1 + self.below(6))
            heard = there.take_question(home, replace(asked, stands=self.once_in(4)))
            pictured = there.pictured(where, name, 5 - self.once_in(5), "pictures", lambda: None)
            self._does = {
                "other home asks": plain(asked),
                "heard": heard,
                "pictured": pictured,
                "of": plain(now),
                "trays": plain(last),
                "questions": plain(there.questions()),
            }
            return
        name = self.one_of(
            ("enter_roll", "enter_roll", "set_held", "score_box", "undo", "choose", "end_game")
        )
        self._does = {home: f"decides {name}"}
        events = decide(state, COMMANDS[name](**self._fields(name)))
        if self.once_in(5):
            events = tuple(
                replace(each, drawn=True) if isinstance(each, RollAccepted) else each for each in events
            )
        events = (HeldSet(state.held),) if self.once_in(9) else events
        self._does = {home: [each.to_json() for each in events]}
        there.take(there.numbered()[0] - self.once_in(9), home, events)

    def _fields(self, name: str) -> dict[str, Any]:  # noqa: C901, PLR0911, PLR0912 - one line for each
        """Fields of a command of that name."""
        view, (_, state) = self.table.snapshot(), self.table.moment()
        seat = self.below(len(view.players) + self.once_in(8))
        slot = 1 + self.below(min(10, view.dice_count + self.once_in(8)))
        face, force = 1 + self.below(6), self.once_in(4)
        rules = state.rules
        boxes = rules.categories if rules else ("ones", "choice")
        worth = tuple(view.players[seat].potentials) if seat < len(view.players) else ()
        if view.active_player is not None and view.in_turns:
            worth = tuple(view.players[view.active_player].potentials)
        box = self.one_of(worth if worth and not self.once_in(6) else boxes)
        held = {die.slot: die.face for die in view.dice if die.held}
        slots = self.some_of(range(1, min(view.dice_count + self.once_in(9), 10) + 1))
        whose = {} if self.once_in(3) else {"player": seat}
        match name:
            case "start_game" | "rematch":
                starter = self.one_of((None, "random", "loser", "rotate", "throw", seat))
                if name == "rematch":
                    return {"order": self.one_of(("keep", "rotate", "shuffle")), "starter": starter}
                return (
                    {}
                    if self.once_in(3 if view.players else 9)
                    else {**self.evening.start, "starter": starter}
                )
            case "accept_roll":
                return {"force": force}
            case "enter_roll":
                wanted = max(view.dice_count - self.once_in(10), 1)
                faces = enumerate(self.faces(wanted), start=1)
                return {"faces": [each if self.once_in(20) else held.get(i, each) for i, each in faces]}
            case "correct_die" | "question_die":
                return {"slot": slot, "face": face}
            case "not_a_die" | "lay_die":
                return {"slot": slot} | ({"kept": force} if name == "lay_die" else {})
            case "missed_die":
                return {"face": face}
            case "set_held":
                return {"slots": slots} | (whose if not view.in_turns else {})
            case "score_box":
                five = {"slots": slots[:5]} if view.dice_count > ALIKE and self.once_in(3) else {}
                mine = whose if not view.in_turns or self.once_in(9) else {}
                return {"category": box, "force": force} | five | mine
            case "announce_box":
                open_ = in_json(view)["may_announce"] or boxes
                return {"category": self.one_of(open_), "force": force}
            case "ready" | "unready":
                return whose
            case "choose_player" | "remove_player":
                return {"player": seat}
            case "correct_box":
                filled = [
                    box for box in boxes if seat < len(view.players) and view.players[seat].boxes.get(box)
                ]
                box = self.one_of(filled) if filled and not self.once_in(5) else box
                to = {"to": self.one_of(boxes)} if self.once_in(3) else {}
                return {"player": seat, "category": box, "faces": self.faces(5), "force": force} | to
            case "choose":
                return {"category": box} if self.once_in(2) else {}
            case "add_player":
                return {"name": self.one_of(NAMES)}
            case "rename_player":
                return {"player": seat, "name": self.one_of(NAMES)}
            case "move_player":
                return {"player": seat, "to": self.below(len(view.players) + self.once_in(8))}
            case "throw":
                return {"faces": self.faces(max(view.dice_count - self.below(3), 1))} if force else {}
            case "press":
                return {"button": self.one_of(tuple(Button)), "long": force}
            case _:
                return {}

    # -- what is recorded ------------------------------------------------------------------------------

    def _step(self, step: Callable[[], object]) -> dict[str, Any]:
        self._does, self._besides = None, []
        record: dict[str, Any] = {}
        before, state = len(self._log.written), self.table.moment()[1]
        try:
            step()
        except (RefusalError, BadInputError) as error:
            record["refused"] = [error.code, plain(error.message)]
        events = self._log.written[before:]
        for event in events:
            again = from_json(json.loads(json.dumps(event.to_json())))
            if again != event:
                self._besides.append({"read back": again})
        view, now = self.table.moment()
        recalled = replay(self._log.events())
        if not view.in_turns:  # for whom the buttons act is no event
            recalled = replace(recalled, active=now.active)
        assert recalled == now, "what the table holds is not what its log says"
        lying = [self.table.lying(slot) for slot in range(1, view.dice_count + 1)]
        told = replace(view, version=0, rules_version="", commands=tuple(sorted(view.commands)))
        shows = plain(told) | {
            "dice expected": self.table.dice_expected,
            "lying": plain(lying),
            "last mover": plain(now.last_mover),
        }
        record["shows"], self._shown = changes(self._shown, shows), shows
        record["events"] = [event.to_json() for event in events]
        record["besides"] = plain(self._besides)
        record["happenings"] = []
        for event in events:
            was, state = state, evolve(state, event)
            for each in table_events(0, "", event, was, state, str, "en"):
                record["happenings"].append({"kind": each.kind} | dict(each.values))
        found = {"does": self._does} | {key: record.get(key) for key in RECORDED}
        return {key: value for key, value in found.items() if value}

    def _end(self) -> dict[str, Any]:
        """What the whole evening amounts to: its transcript, its commands replayed, its dice."""
        past = self.table.moment()[1].past
        page = notation.page(past)
        try:
            replayed = [plain(command) for _, command, _ in steps(notation.numbered(page))]
        except BadInputError as error:
            replayed = plain(error.message)
        return {
            "notation": notation.write(self._log.written).splitlines(),
            "page": page.splitlines(),
            "thrown dice": plain(sorted(thrown_dice.thrown_dice(past).items())),
            "replayed": replayed,
            "renumbered": [each.to_json() for each in renumbered(past, 7, 6)[:1]],
        }


RECORDED = ("refused", "events", "happenings", "besides", "shows")
WALKS = tuple(f"{name}-{number}" for name in EVENINGS for number in range(SEEDS))


def mind(state: State) -> Move | None:
    """A computer player without much thought: it keeps what it has most of, and fills what pays most."""
    if state.rules is None or len(state.past) % 7 == 0:
        return None
    common = max(state.faces, key=lambda face: (state.faces.count(face), face))
    boxes = writable(state, state.rules.next_boxes(state.player.sheet.open(state.rules)))
    between = WAY.of(state).filled_in_turn(state)
    if boxes and (state.rolls_left == 0 or between or state.phase is Phase.CHOOSING):
        slots = tuple(range(1, 6)) if len(state.dice) > ALIKE else ()
        return Move((), boxes[len(state.past) % len(boxes)], Message("waiting/choose", count=1), slots)
    keeps = tuple(die.slot for die in state.dice if die.face == common)
    return Move(keeps, None, Message("waiting/hand"))


def record(walk: str) -> Iterator[str]:
    """The record of each step as text. walk: one of WALKS."""
    name, number = walk.rsplit("-", 1)
    return map(written, Walk(name, int(number)).steps())


def recorded(walk: str) -> list[str]:
    """The record of each step as it was kept."""
    return [written(step) for step in json.loads((GOLDEN / f"{walk}.json").read_text(encoding="utf-8"))]


def main() -> None:
    """Print a walk, or record all."""
    parser = argparse.ArgumentParser(prog="python -m tests.table.walks")
    parser.add_argument("walk", nargs="?", choices=WALKS)
    parser.add_argument("--step", type=int)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.write:
        GOLDEN.mkdir(parents=True, exist_ok=True)
        for walk in WALKS:
            text = "[\n" + ",\n".join(record(walk)) + "\n]\n"
            (GOLDEN / f"{walk}.json").write_text(text, encoding="utf-8")
    elif asked.walk:
        for number, step in enumerate(record(asked.walk)):
            if asked.step in (None, number):
                sys.stdout.write(f"-- {number}\n{step}\n")


if __name__ == "__main__":
    main()
