"""Last throws of two homes and questions about their dice, by cases; at random: test_homes_at_the_table."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.features.two_homes.commands import LetStand, QuestionDie
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import LastThrow, LastThrows, Question
from station.features.two_homes.line.other_home import OtherHome
from tests.asking import do, shown
from tests.features.two_homes.test_homes import both
from tests.wording import in_words

FACES_THROWN = (1, 2, 3, 4, 5)


def thrown(*, typed: bool = False, drawn: bool = False) -> LastThrows:
    last = LastThrow("", "Ana", "1-1", FACES_THROWN, FACES_THROWN, typed=typed, drawn=drawn)
    return LastThrows({"": last})


def test_each_home_reads_the_question_and_the_answer_in_its_own_words():
    asking = Question("", "1-1", 2, 6)
    asked = thrown().with_question("berlin", asking)
    answer = LetStand().question(Home(throws=asked))
    assert answer == replace(asking, stands=True)
    answered = asked.with_question("", answer)
    sentences = [
        [in_words(each.views(home)[0].question.told) for each in (asked, answered)] for home in ("", "berlin")
    ]
    assert sentences == [
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
