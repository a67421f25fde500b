"""What hands do at the physical table: dice are thrown, pushed and taken away, cables are pulled."""

from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import precondition

from station.store.store import Store
from tests.table.physical_evening import happens, must, plain
from tests.table.physical_screens import Screens


class Hands(Screens):
    """Throws, the camera, the plug, and turns as they should be."""

    @happens(data=st.data(), hand=st.booleans(), whole=st.sampled_from((True, True, True, False)))
    def throw(self, data: st.DataObject, hand: bool, whole: bool) -> None:
        """The free dice, or by mistake some of them, leave a hand."""
        if not self.tray.pieces:
            return
        if hand or self.tray.rolling:  # rolling dice are caught first
            self.hand_over_the_tray()
        which = list(range(len(self.tray.pieces))) if self.tray.away else self.free()
        whole = whole or self.tray.away or self.tray.read != self.tray.pieces
        if not whole:
            which = data.draw(
                st.lists(st.sampled_from(range(len(self.tray.pieces))), min_size=1, unique=True)
            )
        self.tray.throw(which, self.book.turn)
        self.busy = self.began = self.book.turn
        self.unconfirmed_whole = whole and self.lay_seen and self.camera_ok and bool(which)
        self.look()

    @precondition(lambda self: self.tray.rolling or self.tray.hand)
    @happens(sure=st.sampled_from((True, True, True, False)))
    def dice_rest(self, sure: bool) -> None:
        self.tray.rolling = self.tray.hand = False
        if not sure and self.tray.pieces and not self.tray.away:
            i = self.random.randrange(len(self.tray.pieces))
            self.tray.misread = (i, self.tray.pieces[i].face % 6 + 1)
        self.look()

    @happens()
    def hand_over_the_tray(self) -> None:
        if not self.tray.hand and not self.tray.rolling:
            self.busy = self.began = self.book.turn
        self.tray.hand, self.tray.rolling = True, False
        self.look()

    @precondition(
        lambda self: self.tray.pieces and not (self.tray.rolling or self.tray.away or self.tray.hand)
    )
    @happens(i=st.integers(0, 9))
    def nudge(self, i: int) -> None:
        self.tray.nudge(i % len(self.tray.pieces), self.book.turn)
        self.look()

    @precondition(lambda self: self.tray.pieces and not self.tray.rolling and not self.tray.away)
    @happens()
    def take_dice_away(self) -> None:
        self.tray.away, self.tray.hand = True, False
        self.look()

    @happens(really=st.integers(0, 3))
    def camera_gone_or_back(self, really: int) -> None:
        if really and self.camera_ok:
            return
        if self.camera_ok:
            self.table.camera(name="camera", ok=False, message="gone")
        else:
            self.table.camera(name="camera", ok=True)
        if self.watched:
            self.unwatched = self.busy if self.tray.rolling or self.tray.hand else self.book.turn
        self.camera_ok, self.watched, self.lay_seen = not self.camera_ok, False, False
        self.unconfirmed_whole = False
        self.look()

    @happens(seen=st.booleans(), really=st.integers(0, 2))
    def pull_the_plug(self, seen: bool, really: int) -> None:
        """The process is killed and starts anew."""
        forgotten = any(one.turn in self.vanished for one in self.tray.pieces)
        if really or forgotten or (self.tray.rolling and self.busy != self.book.turn):
            return  # only the running process knows what was thrown in a turn that was undone
        before = self.state
        self.table.close()
        self.store.close()
        self.store = Store(Path(self.folder.name))
        self.plug_in()
        must(plain(self.state) == plain(before), "undo", "a restart lost something")
        if self.watched or self.book.running:
            self.unwatched = self.busy = -1 if self.state.rolling else self.book.turn
        self.watched = self.unconfirmed_whole = self.lay_seen = self.lies = False
        self.regret = None
        if seen:
            self.look()

    def cast(self, *, crowded: bool = False, face: int | None = None) -> bool:
        """The dice are taken, thrown and come to rest. face: what all show. Whether it can be confirmed."""
        self.hand_over_the_tray()
        which = list(range(len(self.tray.pieces))) if self.tray.away else self.free()
        self.tray.throw(which, self.book.turn, crowded=crowded)
        if face is not None:
            self.tray.pieces = tuple(replace(one, face=face) for one in self.tray.pieces)
        self.busy = self.began = self.book.turn
        self.look()
        self.tray.rolling = False
        self.look()
        return "accept_roll" in self.view.commands

    @precondition(lambda self: self.book.may_throw and self.camera_ok and self.watched)
    @happens(
        again=st.integers(0, 2),
        held=st.lists(st.integers(1, 5), unique=True, max_size=3),
        crowded=st.sampled_from((False, False, False, True)),
    )
    def proper_throw(self, again: int, held: list[int], crowded: bool) -> None:
        """As it should be: the dice are taken, thrown, come to rest and are confirmed, and some are held."""
        for _ in range(again + 1):
            told = not self.book.typed and self.tray.misread is None  # else other faces are no news
            if not self.cast(crowded=crowded and told):
                return  # held dice were thrown by mistake
            self.confirm(button=bool(again))
            if self.book.phase != "holding":
                return
            self.hold(slots=held, button=False)

    @precondition(lambda self: self.book.phase == "throwing" and self.camera_ok and self.watched)
    @happens(face=st.integers(1, 6), turns=st.integers(2, 6))
    def lucky_turns(self, face: int, turns: int) -> None:
        """Turns in which all dice show the same, written where it pays most: so extra points come about."""
        for _ in range(turns):
            if self.book.phase != "throwing":
                return
            if not self.cast(face=face):
                return
            self.confirm(button=False)
            potentials = self.view.players[self.book.active].potentials
            if not potentials or self.book.phase != "holding":
                return
            best = sorted(potentials).index(max(sorted(potentials), key=lambda each: potentials[each]))
            self.proper_box(i=best)

    @precondition(lambda self: self.book.phase in {"holding", "choosing"} and self.view.turn != "unconfirmed")
    @happens(i=st.integers(0, 20))
    def proper_box(self, i: int) -> None:
        """A box that the sheet offers is written."""
        potentials = self.view.players[self.book.active].potentials
        if potentials:
            category = sorted(potentials)[i % len(potentials)]
            if self.do("score_box", category=category, law="written", expected=True):
                self.boxed(category, potentials[category])
