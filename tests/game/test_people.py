"""Who plays: how many, under which names, joining, leaving, changing places, playing again."""

import pytest

from messages.errors import RefusalError
from station.contract.commands import (
    AddPlayer,
    EndGame,
    EnterRoll,
    MovePlayer,
    Rematch,
    RemovePlayer,
    RenamePlayer,
    StartGame,
    Undo,
)
from station.contract.names import checked_names, clean_name, looks
from station.game.dice.sights import Sight
from station.game.events import GameStarted, PlayerMoved, PlayerRemoved, PlayerRenamed
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from station.game.sentences import undo_text
from station.rules import built_in
from tests.game.deciding import decide
from tests.game.playing import play, refused, row, seeing, snapshot, started, turn
from tests.wording import in_words

FOUR_MORE = ("Jo", "Kim", "Max", "Pia")
TWELVE = ("Ana", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hal", *FOUR_MORE)
FAMILY = 'id="ours"\ntitle="Ours"\nthrows=2\nplayers=[1, 20]\n[[box]]\ncategory="choice"\nlabel="All"\n'


def names(state: State) -> list[str]:
    return [player.name for player in state.players]


# -- how many ----------------------------------------------------------------------------------------


def test_as_many_may_play_as_the_rule_set_allows_and_no_more():
    assert names(started("clubhouse-51", "Ana")) == ["Ana"]
    assert names(started("clubhouse-51", "Ana", "Ben")) == ["Ana", "Ben"]
    title = built_in("clubhouse-51").title
    three = StartGame(players=TWELVE[:3], rules="clubhouse-51")
    assert refused(State(), three) == ("player/too_many", f"At most 2 can play “{title}”.")
    assert refused(started("clubhouse-51", "Ana", "Ben"), AddPlayer(name="Cleo")) == (
        "player/too_many",
        "The table is full: at most 2 can play.",
    )
    assert names(started("treasurehouse", "Ana", "Ben")) == ["Ana", "Ben"]
    alone = StartGame(players=("Ana",), rules="treasurehouse")
    assert refused(State(), alone)[1].endswith("needs at least 2 players.")


def test_the_sheet_has_room_for_twelve():
    gathered = play(State(), *(AddPlayer(name=name) for name in TWELVE))
    assert refused(gathered, AddPlayer(name="Ida"))[1] == "The table is full: at most 12 can play."
    assert names(play(gathered, StartGame())) == list(TWELVE)
    assert refused(started("yacht-1938", *TWELVE), AddPlayer(name="Ida"))[0] == "player/too_many"


def test_nobody_cannot_play():
    assert refused(State(), StartGame(rules="world-51"))[0] == "player/too_few"
    with pytest.raises(RefusalError) as caught:
        decide(State(), StartGame(rules="ours"), house=FAMILY)
    assert in_words(caught.value.message) == "“Ours” needs a player."


# -- starting, playing again -------------------------------------------------------------------------


def test_a_game_starts_with_the_last_rules_and_people_where_none_are_named():
    assert started("world-51", "Ana").rules == built_in("world-51")
    (begun,) = decide(State(), StartGame(players=("Ana", "Ben"), rules="lawn", starter="random"))
    assert (begun.first, begun.starter) == (0, "random"), "the first, where no chance draws"
    assert play(State(), StartGame(players=("Ana",))).rules == built_in("yacht-1938")
    ended = play(started("world-51", "Ana", "Ben"), *turn("choice"), RemovePlayer(player=1), EndGame())
    assert decide(ended, StartGame(), game=7) == (GameStarted(7, 1, "world-51", ("Ana",)),)
    assert decide(ended, StartGame(rules="lawn", players=("Cleo",)), game=7) == (
        GameStarted(7, 1, "lawn", ("Cleo",)),
    )


def test_house_rules_go_on_into_the_next_game_and_no_further():
    (begun,) = decide(State(), StartGame(players=("Ana",), rules="ours"), house=FAMILY)
    ended = play(evolve(State(), begun), EnterRoll(faces=(1, 1, 1, 1, 1)), EndGame())
    assert decide(ended, StartGame(), game=2) == (GameStarted(2, 1, "ours", ("Ana",), FAMILY),)
    assert decide(ended, Rematch(), game=2) == (GameStarted(2, 1, "ours", ("Ana",), FAMILY),)
    assert decide(ended, StartGame(rules="lawn"), game=2) == (GameStarted(2, 1, "lawn", ("Ana",)),)


def test_a_rematch_is_of_those_who_stayed():
    ended = play(started("lawn", "Ana", "Ben", "Cleo"), RemovePlayer(player=1), EndGame())
    assert decide(ended, Rematch(), game=4) == (GameStarted(4, 1, "lawn", ("Ana", "Cleo")),)
    for state in (State(), started("lawn", "Ana")):
        assert refused(state, Rematch()) == ("game/not_finished", "A rematch follows a finished game.")


def test_dice_that_lie_there_as_a_game_starts_or_ends_are_nobodys():
    lying = seeing(State(), 1, 2, 3, 4, 5)
    nobodys = tuple(die for die in row(0, 0, 0, 0, 0))
    running = started("lawn", "Ana")
    (ended,) = decide(running, EndGame(), lying)
    assert (ended.left, ended.rolling) == (nobodys, False)
    over = evolve(running, ended)
    for state, command in ((State(), StartGame(players=("Ana",))), (over, StartGame()), (over, Rematch())):
        (begun,) = decide(state, command, lying)
        assert (begun.left, begun.rolling) == (nobodys, False)
        (begun,) = decide(state, command, seeing(state, status="moving", before=lying))
        assert (begun.left, begun.rolling) == (nobodys, True)


# -- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ana   Maria ", "Ana Maria"),
        ("A\u0301na", "\u00c1na"),
        ("\u200dAna\u200c", "Ana"),
        ("x" * 20, "x" * 20),
        ("7", "7"),
        ("!", "!"),
        ("王", "王"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u2603", "\u2603"),
    ],
)
def test_a_name_is_kept_composed_and_trimmed(name, kept):
    assert clean_name(name) == kept


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "A player needs a name."),
        (" \t", "A player needs a name."),
        ("\u200d", "A player needs a name."),
        ("x" * 21, f"The name {'x' * 20}… is too long; 20 letters fit on the sheet."),
        ("A\x00b", "A name may hold letters, digits and signs that can be seen."),
        ("A\u202eb", "A name may hold letters, digits and signs that can be seen."),
        ("A\u3164b", "A name may hold letters, digits and signs that can be seen."),
        ("\u0301", "A name may hold letters, digits and signs that can be seen."),
    ],
)
def test_a_name_that_cannot_be_seen_or_is_too_long_is_refused(name, sentence):
    assert refused(State(), AddPlayer(name=name)) == ("player/name", sentence)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "\u0410n\u0430"),  # with two Cyrillic letters
        ("Ana", "\u0391na"),  # with a Greek one
        ("Olli", "0l1i"),
        ("Olli", "O||i"),
        ("Arni", "Ami"),
        ("Ana", "A\u200dna"),
        ("Ana", "A\u3164na"),
        ("\u2764", "\u2764\ufe0f"),
    ],
)
def test_names_that_eyes_cannot_tell_apart_look_the_same(one, other):
    assert looks(one) == looks(other)


def test_a_name_is_there_once():
    assert checked_names(["Ana", "Ben"]) == ("Ana", "Ben")
    told = "Somebody is called ANA already; give one of them another name."
    for state in (play(State(), AddPlayer(name="Ana")), started("lawn", "Ana")):
        assert refused(state, AddPlayer(name="ANA")) == ("player/twice", told)
    two = started("lawn", "Ana", "Ben")
    assert refused(two, RenamePlayer(player=1, name="ANA")) == ("player/twice", told)


# -- joining, leaving, changing places ---------------------------------------------------------------


def test_a_name_is_changed_and_changed_back():
    state = started("lawn", "Ana", "Ben")
    assert decide(state, RenamePlayer(player=1, name=" Benno ")) == (PlayerRenamed(1, "Benno"),)
    assert decide(state, RenamePlayer(player=1, name=" Ben ")) == ()
    assert decide(state, RenamePlayer(player=1, name="BEN")) == (PlayerRenamed(1, "BEN"),)
    renamed = play(state, RenamePlayer(player=0, name="Anna"))
    assert names(renamed) == ["Anna", "Ben"]
    assert in_words(undo_text(renamed)) == "renamed to Anna"
    assert play(renamed, Undo()) == state


def test_who_goes_leaves_the_lobby_but_stays_in_the_record_of_a_game():
    lobby = play(State(), *(AddPlayer(name=name) for name in TWELVE[:3]))
    assert names(play(lobby, RemovePlayer(player=1))) == ["Ana", "Cleo"]
    alone = play(State(), AddPlayer(name="Ana"))
    assert names(play(alone, RemovePlayer(player=0))) == []
    state = play(started("lawn", "Ana", "Ben"), RemovePlayer(player=1))
    assert [(player.name, player.gone) for player in state.players] == [("Ana", False), ("Ben", True)]
    assert in_words(undo_text(state)) == "Ben left"
    assert refused(state, RemovePlayer(player=0)) == (
        "player/last",
        "Ana is the last one at the table; end the game instead.",
    )
    for command in (RemovePlayer(player=1), RenamePlayer(player=1, name="Cleo"), MovePlayer(player=1, to=0)):
        assert refused(state, command) == ("player/unknown", "The seats are numbered 0 to 1.")
    assert names(play(state, MovePlayer(player=0, to=1))) == ["Ben", "Ana"]


def test_the_turn_passes_over_who_has_gone():
    state = play(started("lawn", "Ana", "Ben", "Cleo"), RemovePlayer(player=1), *turn("ones"))
    assert state.player.name == "Cleo"


def test_who_goes_in_the_middle_of_a_turn_leaves_the_dice_to_nobody():
    lying = seeing(State(), 1, 2, 3, 4, 5)
    state = play(started("lawn", "Ana", "Ben"), EnterRoll(faces=(1, 2, 3, 4, 5)))
    assert decide(state, RemovePlayer(player=0), lying) == (PlayerRemoved(0, row(0, 0, 0, 0, 0)),)
    assert decide(state, RemovePlayer(player=1), lying) == (PlayerRemoved(1),)
    after = play(state, RemovePlayer(player=0), sight=lying)
    assert (after.player.name, after.phase, after.dice, after.throws_done) == ("Ben", Phase.THROWING, (), 0)
    assert after.past[-1] == PlayerRemoved(0, row(0, 0, 0, 0, 0))
    assert after.since is after.past[-1]
    other = play(state, RemovePlayer(player=1), sight=lying)
    assert (other.player.name, other.phase, other.since) == ("Ana", Phase.HOLDING, state.since)


@pytest.mark.parametrize(
    ("seat", "to", "order"),
    [(0, 2, ["Ben", "Cleo", "Ana"]), (2, 0, ["Cleo", "Ana", "Ben"]), (0, 1, ["Ben", "Ana", "Cleo"])],
)
def test_a_seat_is_changed_and_the_turn_stays_whose_it_is(seat, to, order):
    state = play(started("lawn", "Ana", "Ben", "Cleo"), *turn("choice"), EnterRoll(faces=(1, 1, 1, 2, 2)))
    assert decide(state, MovePlayer(player=seat, to=to)) == (PlayerMoved(seat, to),)
    moved = play(state, MovePlayer(player=seat, to=to))
    assert (names(moved), moved.player.name, moved.phase) == (order, "Ben", Phase.HOLDING)
    assert in_words(undo_text(moved)) == f"{state.players[seat].name} changed seats"
    assert decide(state, MovePlayer(player=seat, to=seat)) == ()
    assert refused(state, MovePlayer(player=seat, to=3)) == (
        "player/unknown",
        "The seats are numbered 0 to 2.",
    )


def test_when_the_game_is_over_nobody_comes_or_goes():
    ended = play(started("lawn", "Ana", "Ben"), EndGame())
    assert refused(ended, AddPlayer(name="Cleo")) == (
        "game/finished",
        "The game is over: start another one with the new player.",
    )
    for command in (RemovePlayer(player=1), RenamePlayer(player=1, name="Cleo"), MovePlayer(player=1, to=0)):
        assert refused(ended, command) == (
            "game/finished",
            "The game is over: play again, or undo the last step.",
        )


def test_a_rematch_takes_as_many_players_as_a_start():
    over = play(started("treasurehouse", "Ana", "Ben"), RemovePlayer(player=1), EndGame())
    assert refused(over, StartGame()) == refused(over, Rematch())
    assert refused(over, Rematch())[0] == "player/too_few"
    assert "rematch" not in snapshot(over, Sight()).commands
