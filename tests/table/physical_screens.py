"""What people do at the screens and buttons of the physical table."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import precondition

from messages.errors import RefusalError
from station.features.computer_players.feature import TablePart
from station.features.throw_off.starter_thrown import StarterThrown
from station.game.events import RollAccepted
from station.rules import built_in
from tests.table.physical import Book
from tests.table.physical_evening import NAMES, RESTING, RULES, Evening, happens, must, plain, shown_of


class Screens(Evening):
    """Rolls, boxes, corrections, people, and screens that are behind."""

    @precondition(lambda self: self.book.running)
    @happens(button=st.booleans())
    def confirm(self, button: bool) -> None:
        if self.book.phase == "choosing" and button:
            return
        view = self.view
        offered = "accept_roll" in view.commands
        if button and not offered and "computer_move" in view.commands:
            return
        faces = tuple(sorted(die.face for die in view.reading.dice))
        law = "offered"
        done = (
            self.push("confirm", law=law, expected=offered)
            if button
            else self.do("accept_roll", law=law, expected=offered)
        )
        if done:
            must(
                self.book.may_be_thrown(self.tray), "written", "a roll was confirmed that nobody threw", faces
            )
            must(
                self.book.lied or faces == self.tray.faces,
                "written",
                "confirmed",
                faces,
                "but",
                self.tray.faces,
                "lay there",
            )
            self.confirmed(faces)

    def confirmed(self, faces: tuple[int, ...], *, typed: bool = False) -> None:
        """The station took a roll of these faces."""
        self.unconfirmed_whole = False
        if self.book.phase == "starting":
            self.follow("for start", self.book.threw_for_start(faces[0], self.turn()))
            self.lay_out()
            return
        dice = tuple((die.slot, die.face) for die in self.view.dice)
        if not self.view.finished:
            must(tuple(sorted(face for _, face in dice)) == faces, "written", dice, "are not", faces)
            held = dict(self.book.dice)
            kept = all(dict(dice)[slot] == held[slot] for slot in self.book.held)
            must(kept, "written", "held dice changed", dice, self.book)
        else:
            dice = tuple((die.slot, die.face) for die in self.state.dice)
        self.follow("roll", self.book.confirmed(dice, self.turn(), typed=typed))

    @precondition(lambda self: self.book.may_throw)
    @happens()
    def confirm_by_force(self) -> None:
        if self.do("accept_roll", force=True):
            thrown = self.state.past[-1]
            assert isinstance(thrown, StarterThrown | RollAccepted)
            if isinstance(thrown, StarterThrown):
                self.confirmed((thrown.face,))
            else:
                self.confirmed(tuple(sorted(die.face for die in thrown.dice)))

    @precondition(lambda self: self.book.may_throw)
    @happens(seed=st.integers(0, 999))
    def type_the_roll(self, seed: int) -> None:
        held = {slot: face for slot, face in self.book.dice if slot in self.book.held}
        rest = Counter(piece.face for piece in self.tray.pieces) - Counter(held.values())
        free = list(rest.elements())
        Random(seed).shuffle(free)
        if self.tray.rolling and not self.book.thrown(self.tray):
            return
        if len(free) != self.book.count - len(held):
            return  # held dice were thrown by mistake; people have to clear that up first
        faces = [held.get(slot) or free.pop() for slot in range(1, self.book.count + 1)]
        if self.do("enter_roll", faces=faces, expected=True):
            self.confirmed(tuple(sorted(faces)), typed=True)
            self.unconfirmed_whole = False

    @precondition(lambda self: self.book.phase == "holding")
    @happens(slots=st.lists(st.integers(1, 5), unique=True, max_size=5), button=st.booleans())
    def hold(self, slots: list[int], button: bool) -> None:
        if button and slots:
            done = self.push(f"hold-{slots[0]}", expected=True)
            slots = sorted({*self.book.held} ^ {slots[0]})
        else:
            done = self.do("set_held", slots=slots, expected=True)
        if done:
            self.follow("hold", replace(self.book, held=tuple(sorted(slots))))

    @precondition(lambda self: self.book.phase in {"holding", "choosing"})
    @happens(how=st.sampled_from(("touch", "press", "mark")), data=st.data())
    def choose(self, how: str, data: st.DataObject) -> None:
        newer = self.newer()
        expected = None if newer is None else not newer
        if how == "press" and self.book.phase == "choosing":
            return
        if how == "mark":
            done = self.do(
                "choose",
                category=data.draw(st.sampled_from(self.played.categories)),
                law="written",
                expected=False if newer else None,
            )
        elif how == "press":
            done = self.push("confirm", long=True, law="written", expected=expected)
        else:
            done = self.do("choose", law="written", expected=expected)
        if done and self.book.phase == "holding":
            self.follow("choose", replace(self.book, phase="choosing"))

    @precondition(lambda self: self.book.phase == "choosing" and self.before[-1][0] == "choose")
    @happens()
    def choose_no_more(self) -> None:
        if self.push("confirm", long=True, expected=True):
            self.taken_back()

    @precondition(lambda self: self.book.phase in {"holding", "choosing"})
    @happens(data=st.data(), force=st.sampled_from((False, False, True)))
    def box(self, data: st.DataObject, force: bool) -> None:
        category = data.draw(st.sampled_from(self.played.categories))
        shown = self.view.players[self.book.active].potentials.get(category)
        newer = self.newer()
        expected = False if newer and not force else (True if shown is not None else None)
        if self.do("score_box", category=category, force=force, law="written", expected=expected):
            self.boxed(category, shown)

    @precondition(lambda self: self.book.running)
    @happens(button=st.booleans())
    def computer_move(self, button: bool) -> None:
        """The computer player's decision is carried out, by touch or by the confirm button."""
        move, may = self.view.part(TablePart).computer, "computer_move" in self.view.commands
        if button and (not may or "accept_roll" in self.view.commands):
            return
        if move is not None:
            must(self.book.phase in {"holding", "choosing"}, "computer", "decides on nothing")
            must(not self.view.players[self.book.active].by_a_person, "computer", "decides for a person")
            must(self.newer() is not True, "computer", "decides though a newer throw lies there")
        done = self.push("confirm", expected=True) if button else self.do("computer_move", expected=may)
        if done and move is not None and move.box is not None:
            self.boxed(move.box, self.was[1].players[self.book.active].potentials.get(move.box))
        elif done and move is not None:
            self.follow("hold", replace(self.book, held=move.keeps))

    @precondition(lambda self: self.book.phase == "choosing" and self.view.part(TablePart).computer is None)
    @happens(step=st.sampled_from(("hold-1", "hold-5", None)))
    def box_by_button(self, step: str | None) -> None:
        if step is not None:
            self.push(step, expected=True)
        mark = self.view.choice
        assert mark is not None
        shown = self.view.players[self.book.active].potentials.get(mark)
        if self.push("confirm", law="written", expected=True):
            self.boxed(mark, shown)

    def boxed(self, category: str, shown: int | None) -> None:
        """The station wrote a box."""
        seat = self.book.active
        filling = self.state.players[seat].fillings[-1]
        event = self.state.past[-1]
        slots = getattr(event, "slots", ()) or tuple(slot for slot, _ in self.book.dice)
        self.follow("box", self.book.written(category, slots, self.turn()))
        must(
            self.book.filled[seat][-1] == (filling.category, filling.faces, filling.throw),
            "written",
            filling,
            "of",
            self.book,
        )
        points = self.view.players[seat].boxes[category]
        must(shown in (None, points), "potentials", category, "showed", shown, "and got", points)

    @precondition(lambda self: self.book.running)
    @happens()
    def keep_roll(self) -> None:
        expected = self.newer()
        if self.do("keep_roll", law="offered", expected=expected):
            self.follow("keep", replace(self.book, turn=self.turn()))
            self.unconfirmed_whole = False

    @precondition(lambda self: self.book.running)
    @happens(data=st.data())
    def correct_die(self, data: st.DataObject) -> None:
        """The misread die of the roll on offer is set right, or one of the confirmed roll is changed."""
        reading = self.view.reading
        if reading.fresh and reading.dice and self.book.may_throw:
            if self.tray.misread and self.tray.status in RESTING and self.book.thrown(self.tray):
                i, wrong = self.tray.misread
                for die in reading.dice:
                    if die.face == wrong and not die.held and not die.corrected:
                        self.do("correct_die", slot=die.slot, face=self.tray.pieces[i].face, expected=True)
                        self.regret = None
                        break
            return
        if self.book.dice and not self.book.typed:
            slot, _ = data.draw(st.sampled_from(self.book.dice))
            face = data.draw(st.integers(1, 6))
            if self.do("correct_die", slot=slot, face=face, expected=True):
                dice = tuple((s, face if s == slot else f) for s, f in self.book.dice)
                self.follow("die", replace(self.book, dice=dice, lied=True).general())

    @precondition(lambda self: any(self.book.filled))
    @happens(data=st.data(), face=st.integers(1, 6), force=st.booleans())
    def correct_box(self, data: st.DataObject, face: int, force: bool) -> None:
        seat = data.draw(st.sampled_from([i for i, filled in enumerate(self.book.filled) if filled]))
        mine = self.book.filled[seat]
        place = data.draw(st.integers(0, len(mine) - 1))
        category, faces, throw = mine[place]
        faces = data.draw(st.sampled_from(((face,) * 5, tuple(sorted((*faces[1:], face))))))
        to = data.draw(st.none() | st.sampled_from(self.played.categories))
        after = (*mine[:place], (to or category, faces, throw), *mine[place + 1 :])
        book = replace(self.book, filled=(*self.book.filled[:seat], after, *self.book.filled[seat + 1 :]))
        changes = False
        possible = to in (None, category) or to not in [filled[0] for filled in mine]
        if possible:
            try:
                old, new = self.book.sheet(seat), book.sheet(seat)
            except RefusalError:
                possible = False
            else:
                pairs = [i for i in range(len(mine)) if i != place and old.entries[i] != new.entries[i]]
                changes = bool(pairs)
        expected = possible and (force or not changes)
        fields = {"player": seat, "category": category, "faces": faces, "to": to, "force": force}
        if self.do("correct_box", law="sheet", expected=expected, **fields):
            self.follow("correct", book)

    @precondition(lambda self: bool(self.before))
    @happens(button=st.booleans(), times=st.sampled_from((1, 1, 1, 2, 4)))
    def undo(self, button: bool, times: int) -> None:
        del button
        for _ in range(times):
            if self.before:
                regret, kind = self.regret, self.before[-1][0]
                self.do("undo", law="undo", expected=True)
                self.taken_back()
                if regret is not None:
                    now = shown_of(self.view)
                    differ = [(name, regret[name], now[name]) for name in regret if regret[name] != now[name]]
                    must(not differ, "undo", kind, "was undone at once, but", differ)
                self.regret = None

    def taken_back(self) -> None:
        """The last event was undone: everything is as it was."""
        _, book, state = self.before.pop()
        turn = self.book.turn
        self.book = book
        if turn != book.turn:
            self.unconfirmed_whole = False
            self.vanished.add(turn)
        must(plain(self.state) == plain(state), "undo", "came to", plain(self.state), "not", plain(state))

    @precondition(lambda self: self.book.running)
    @happens(really=st.integers(0, 5))
    def end_game(self, really: int) -> None:
        if really == 0 and self.do("end_game", expected=True):
            self.follow("end", self.book.ended(self.turn()))

    @precondition(lambda self: not self.book.running and (self.watched or not self.camera_ok))
    @happens(
        again=st.booleans(),
        rules=st.sampled_from(RULES),
        names=st.integers(1, 3),
        starter=st.sampled_from((None, "throw", "throw", 1)),
        computer=st.booleans(),
    )
    def start_game(self, again: bool, rules: str, names: int, starter: object, computer: bool) -> None:
        names = max(names, built_in(rules).players[0])
        if again and self.book.phase == "finished":
            there = [name for name, gone in zip(self.book.names, self.book.gone, strict=True) if not gone]
            enough = len(there) >= self.played.players[0]
            if self.do("rematch", starter="throw", expected=enough):
                self.follow("start", Book().started(self.played, there, self.turn(), "throw"))
                self.lay_out()
        elif starter == 1 and names == 1:
            self.do("start_game", players=NAMES[:names], rules=rules, starter=starter, expected=False)
        else:
            players: list[object] = [*NAMES[:names]]
            if computer and rules != "double-cameroon":  # ten dice take it a while
                players[0] = {"name": NAMES[0], "computer": 30}
            if self.do("start_game", players=players, rules=rules, starter=starter, expected=True):
                self.begin(names, rules, starter)

    @precondition(lambda self: self.book.phase != "finished" and self.book.names)
    @happens(
        data=st.data(), what=st.sampled_from(("rename", "remove", "move", "add")), really=st.integers(0, 3)
    )
    def people(self, data: st.DataObject, what: str, really: int) -> None:
        seat = data.draw(st.integers(0, len(self.book.names) - 1))
        book = self.book
        here = not book.gone[seat]
        if what == "rename":
            name = next(name for name in (f"{book.names[seat]}2", "Ida", "Jo") if name not in book.names)
            if self.do("rename_player", player=seat, name=name, expected=here):
                names = (*book.names[:seat], name, *book.names[seat + 1 :])
                self.follow("rename", replace(book, names=names))
        elif what == "move":
            to = data.draw(st.integers(0, len(book.names) - 1))
            if self.do("move_player", player=seat, to=to, expected=here):
                self.follow("move", book.reseated(seat, to))
        elif what == "remove" and really == 0:
            last = book.rules is not None and sum(not gone for gone in book.gone) == 1
            if self.do("remove_player", player=seat, expected=here and not last):
                self.follow("remove", book.left_by(seat, self.turn()))
        elif what == "add" and really == 0 and len(book.names) < 4:
            name = next(name for name in NAMES if name not in book.names)
            if self.do("add_player", name=name):
                self.follow("add", book.joined(name))

    @precondition(lambda self: self.old is not None and self.book.may_throw)
    @happens()
    def stale_confirmation(self) -> None:
        assert self.old is not None
        version, happened, shown = self.old
        faces = tuple(sorted(die.face for die in self.view.reading.dice))
        if self.do("accept_roll", version=version, law="stale"):
            must(happened == self.happened - 1, "stale", "an old screen confirmed in another state")
            must(faces == shown, "stale", "an old screen showed", shown, "and confirmed", faces)
            must(
                self.book.may_be_thrown(self.tray), "written", "a roll was confirmed that nobody threw", faces
            )
            self.confirmed(faces)

    @precondition(lambda self: self.old is not None and self.book.phase in {"holding", "choosing"})
    @happens(data=st.data())
    def stale_box(self, data: st.DataObject) -> None:
        assert self.old is not None
        version, happened, _ = self.old
        category = data.draw(st.sampled_from(self.played.categories))
        newer = self.newer()
        if self.do("score_box", category=category, version=version, law="stale"):
            must(happened == self.happened - 1, "stale", "an old screen wrote a box in another state")
            must(not newer, "written", "a newer throw lay there")
            self.boxed(category, None)
