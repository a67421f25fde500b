"""What homes know of each other's throws, whatever is said in which order, at two real tables."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from messages.errors import RefusalError
from station.features.two_homes.commands import LetStand, QuestionDie
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import LastThrow, LastThrows, Question
from station.features.two_homes.line.other_home import OtherHome
from station.features.two_homes.option import HOME
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.test_homes import START, Pipe, both
from tests.wording import in_words

FACES = st.lists(st.integers(1, 6), min_size=5, max_size=5)
HOMES = ("", "berlin")


def never() -> None:
    raise AssertionError("pictures of no throw that a camera saw were kept")


class Line(RuleBasedStateMachine):
    """Two tables, and between them messages that are lost, late, or come twice."""

    def __init__(self) -> None:
        super().__init__()
        self.host = Table(at_table=[Home(guests=("berlin",))])
        self.guest = Table(Pipe(self.host), at_table=[Home(name="berlin", tell=self.say)])
        self.sent: list[Question] = []
        self.tables = {"": self.host, "berlin": self.guest}
        self.past: list[tuple[str, str]] = []
        do(self.host, START)
        self.log_comes()

    def say(self, said: Question) -> None:
        self.sent.append(said)

    def throws(self, table: Table) -> LastThrows:
        return table.play.known(Home).throws

    def active(self) -> Table:
        return self.tables[HOME.of(self.host.moment()[1].player)]

    def may(self, command: str) -> bool:
        """Whether it is possible where the active player is, once the log has come there."""
        self.log_comes()
        return command in shown(self.active())["commands"]

    @rule()
    def log_comes(self) -> None:
        OtherHome(self.guest).mirror(OtherHome(self.host).numbered()[1], lambda: True)

    @rule(faces=FACES)
    def throw(self, faces: list[int]) -> None:
        if self.may("enter_roll"):
            do(self.active(), {"command": "enter_roll", "faces": faces})

    @rule(slot=st.integers(1, 5), face=st.integers(1, 6))
    def correct(self, slot: int, face: int) -> None:
        if self.may("correct_die"):
            do(self.active(), {"command": "correct_die", "slot": slot, "face": face})

    @rule()
    def score(self) -> None:
        if self.may("score_box"):
            boxes = shown(self.active())["players"][shown(self.host)["active_player"]]["boxes"]
            box = next(name for name, points in boxes.items() if points is None)
            do(self.active(), {"command": "score_box", "category": box})

    @rule(home=st.sampled_from(HOMES))
    def undo(self, home: str) -> None:
        self.log_comes()
        if "undo" in shown(self.tables[home])["commands"] and len(self.host.moment()[1].past) > 1:
            do(self.tables[home], {"command": "undo"})

    @rule(home=st.sampled_from(HOMES), slot=st.integers(1, 5), face=st.integers(1, 6))
    def ask(self, home: str, slot: int, face: int) -> None:
        other = {"home": "berlin"} if home == "" else {}
        command = {"command": "question_die", **other, "slot": slot, "face": face}
        last = self.throws(self.tables[home]).throws.get("berlin" if home == "" else "")
        if last is None or last.faces[slot - 1] == face:
            with pytest.raises(RefusalError):
                do(self.tables[home], command)
        else:
            do(self.tables[home], command)

    @rule(home=st.sampled_from(HOMES))
    def stands(self, home: str) -> None:
        if "let_stand" in shown(self.tables[home])["commands"]:
            do(self.tables[home], {"command": "let_stand"})
        else:
            with pytest.raises(RefusalError):
                do(self.tables[home], {"command": "let_stand"})

    @precondition(lambda self: self.sent)
    @rule(kept=st.booleans(), data=st.data())
    def question_comes(self, kept: bool, data: Any) -> None:  # noqa: FBT001 - called by name
        at = data.draw(st.integers(0, len(self.sent) - 1))
        OtherHome(self.host).take_question("berlin", self.sent[at])
        if not kept:
            del self.sent[at]

    @rule()
    def questions_come(self) -> None:
        OtherHome(self.guest).take_questions(OtherHome(self.host).questions())

    @rule(home=st.sampled_from(HOMES), wrong=st.integers(0, 3))
    def cheat(self, home: str, wrong: int) -> None:
        """Pictures for a typed throw, a late one, too few, or of nobody: none is shown."""
        last = self.throws(self.tables[home]).throws.get("berlin")
        name = last.name if last and wrong else "9-9"
        count = 4 if wrong == 1 else 5
        assert not OtherHome(self.tables[home]).pictured("berlin", name, count, "x", never)

    @rule(slot=st.integers(-2, 12), face=st.integers(-1, 9), stands=st.booleans())
    def say_anything(self, slot: int, face: int, stands: bool) -> None:  # noqa: FBT001 - called by name
        """A guest says of a throw of its own what it likes: it asks itself nothing, and answers no other."""
        last = self.throws(self.host).throws.get("berlin")
        before = OtherHome(self.host).questions()
        said = Question("berlin", last.name if last else "1-1", slot, face, stands)
        if OtherHome(self.host).take_question("berlin", said):
            known = next(each for each in before if each.home == "berlin")
            assert (said.slot, said.face, said.stands) == (known.slot, known.face, True)

    @invariant()
    def questions_are_about_what_is_shown(self) -> None:
        for home, table in self.tables.items():
            for tray in shown(table)["trays"]:
                question = tray["question"]
                assert tray["elsewhere"] == ((tray["home"] or "") != home)
                if question is not None:
                    assert 1 <= question["face"] <= 6
                    assert tray["faces"][question["slot"] - 1] != question["face"]
                    assert str(question["face"]) in question["told"] or question["stands"]

    @invariant()
    def the_last_throws_are_those_that_stand(self) -> None:
        for table in self.tables.values():
            state = table.moment()[1]
            known = self.throws(table).throws
            assert known == LastThrows().recalled(state).throws

    def teardown(self) -> None:
        self.log_comes()
        self.questions_come()
        trays = [shown(table)["trays"] for table in self.tables.values()]
        for tray in (tray for each in trays for tray in each):  # which each home tells in its own words
            tray["elsewhere"] = None
            if tray["question"] and not tray["question"]["stands"]:
                tray["question"]["told"] = None
        assert trays[0] == trays[1]
        for table in self.tables.values():
            table.close()


TestLine = pytest.mark.thorough(Line.TestCase)
TestLine.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


FACES_THROWN = (1, 2, 3, 4, 5)


def thrown(*, typed: bool = False, drawn: bool = False) -> LastThrows:
    last = LastThrow("", "Ana", "1-1", FACES_THROWN, FACES_THROWN, typed=typed, drawn=drawn)
    return LastThrows({"": last})


def test_the_other_home_reads_what_is_asked_and_that_the_thrower_looked_again():
    asking = Question("", "1-1", 2, 6)
    asked = thrown().with_question("berlin", asking)
    answer = LetStand().question(Home(throws=asked))
    assert answer == replace(asking, stands=True)
    answered = asked.with_question("", answer)
    told = [
        [in_words(each.views(home)[0].question.told) for each in (asked, answered)] for home in ("", "berlin")
    ]
    assert told == [
        [
            "Does that die of Ana show a 6? The other home asks; it was read as a 2.",
            "Ana has looked again: the 2 stands.",
        ],
        [
            "Does that die of Ana show a 6? The other home has been asked; it was read as a 2.",
            "Ana has looked again: the 2 stands.",
        ],
    ]
    assert [LetStand.open_to(Home(throws=each)) for each in (asked, answered)] == [True, False]
    with pytest.raises(RefusalError):
        LetStand().question(Home(throws=answered))


def test_a_throw_stays_that_of_who_sits_elsewhere_since():
    host, _ = both()
    do(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(host, {"command": "score_box", "category": "choice"})
    assert OtherHome(host).take_question(
        "berlin", Question("", host.play.known(Home).throws.throws[""].name, 1, 6)
    )
    do(host, {"command": "move_player", "player": 0, "to": 1})
    do(host, {"command": "rename_player", "player": 0, "name": "Bert"})
    assert [each["player"] for each in shown(host)["trays"]] == ["Ana"]
    do(host, {"command": "correct_box", "player": 1, "category": "choice", "faces": [6, 2, 3, 4, 6]})
    assert not OtherHome(host).questions()  # it is put right


@pytest.mark.parametrize(
    ("known", "here", "slot", "face", "code"),
    [
        (thrown(), "berlin", 2, 2, "homes/same_face"),
        (thrown(drawn=True), "berlin", 2, 6, "homes/no_throw"),
        (thrown(), "berlin", 6, 6, "homes/no_throw"),
        (thrown(), "", 2, 6, "homes/no_throw"),
        (LastThrows(), "berlin", 2, 6, "homes/no_throw"),
    ],
)
def test_a_question_is_about_another_face_of_a_die_that_a_camera_read_in_the_other_home(
    known, here, slot, face, code
):
    with pytest.raises(RefusalError) as refused:
        QuestionDie(slot=slot, face=face).question(Home(here, throws=known))
    assert refused.value.code == code
    assert QuestionDie(slot=5, face=6).question(Home("berlin", throws=thrown())) == Question("", "1-1", 5, 6)


@pytest.mark.parametrize(
    ("known", "throw", "count"),
    [(thrown(typed=True), "1-1", 5), (thrown(), "1-2", 5), (thrown(), "1-1", 4), (LastThrows(), "1-1", 5)],
)
def test_pictures_are_kept_of_the_last_throw_alone_that_a_camera_saw_whole(known, throw, count):
    assert known.pictured("", throw, count, "x") is None
    assert thrown().pictured("", "1-1", 5, "x").pictures == {"": "x"}
