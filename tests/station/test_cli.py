import io
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest

from station.cli import COMMANDS, main, run, yacht


def test_help_lists_every_command(capsys):
    assert run(["--help"]) == 0
    printed = capsys.readouterr().out
    for name, line in COMMANDS.items():
        assert name in printed
        assert line in printed


def test_an_unknown_command_is_one_sentence_and_exit_code_2(capsys):
    assert run(["fly"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("yacht: No such command 'fly'")
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("call", "german", "french"),
    [
        ("fly", "Einen Befehl „fly“ gibt es nicht (siehe „yacht --help“).", "pas de commande"),
        ("score", "Die Option „--rules“ fehlt (siehe „yacht score --help“).", "option «\u202f--rules"),
        ("read", "Das Argument „PATH...“ fehlt (siehe „yacht read --help“).", "argument «\u202fPATH"),
        ("run --nothing", "Eine Option „--nothing“ gibt es nicht (", "option «\u202f--nothing"),
        ("score --rule lawn", "Eine Option „--rule“ gibt es nicht; es gibt --rules", "; il y a --rules"),
        (
            "run --buttons many",
            "Falscher Wert für „--buttons“: es sollte auto, gpio, page oder none sein (",
            "ou none",
        ),
        ("run --port x", "Falscher Wert für „--port“: es sollte eine Zahl sein (", "il faudrait un nombre"),
        ("read --dice 99 x", "„--dice“: es sollte eine Zahl von 1 bis 40 sein (", "un nombre de 1 à 40"),
        ("backup --keep 0", "„--keep“: es sollte mindestens 1 sein (", "au moins 1"),
        ("run --port", "Die Option „--port“ braucht einen Wert.", "demande une valeur"),
    ],
)
def test_a_wrong_call_is_told_in_the_language_of_the_terminal(
    call: str, german: str, french: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    for language, words in (("de_DE.UTF-8", german), ("fr_FR.UTF-8", french)):
        monkeypatch.setenv("LC_ALL", language)
        assert run(call.split()) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("read --stream --fps nan x", "'--fps': it should be a number from 0.1 to 1000 ("),
        ("record /dev/null/x --seconds nan", "'--seconds': it should be a number from 0.1 to 3600 ("),
        ("calibrate --camera usb:99 --marker nan", "'--marker': it should be a number from 5 to 200 ("),
        ("replay x --play http://x --speed nan", "'--speed': it should be a number from 0.1 to 1000 ("),
        ("simulate --rules crag --seed -1", "'--seed': it should be 0 or more ("),
        (f"score --rules crag --dice {'1' * 5000}", "are no dice; write them as 1,2,2,4,6."),
        (f"read --dice {'1' * 5000} x", "'--dice': it should be a number from 1 to 40 ("),
        (f"simulate --rules crag --players {'1' * 5000}", "is no player; write 'perfect', 'to-win'"),
        ("calibrate --profile /", "File '/' is a directory (see 'yacht calibrate --help')."),
    ],
    ids=lambda call: call[:20],
)
def test_what_is_no_number_or_no_file_is_told(call: str, sentence: str, capsys: pytest.CaptureFixture[str]):
    assert run(call.split()) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_module(name):
    assert yacht.get_command(click.Context(yacht), name) is not None


@pytest.mark.parametrize(
    ("call", "code", "traceback"),
    [
        ("score --rules nope --dice 1", 2, True),
        ("fly", 2, True),
        ("rules check nowhere.toml --json", 2, False),
        ("rules", 0, False),
    ],
)
def test_the_exit_code_is_the_same_with_a_traceback(
    call: str,
    code: int,
    *,
    traceback: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    for debug in ([], ["--debug"]):
        monkeypatch.setattr(sys, "argv", ["yacht", *debug, *call.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == code
        assert ("Traceback" in capsys.readouterr().err) == (traceback and bool(debug))


def test_a_full_disk_to_which_a_command_prints_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "argv", ["yacht", "rules"])
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main()
        with suppress(OSError):  # what it still holds
            full.close()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "yacht: the disk is full; make room and call again.\n"


@pytest.mark.parametrize(
    "call",
    [
        "value --rules yacht-1938 --json",
        pytest.param("hint --rules crag --dice 1,2,3 --rolls-left 0", marks=pytest.mark.thorough),
    ],
)
def test_who_has_no_standard_error_is_answered(
    call: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(sys, "stderr", None)
    assert run([*call.split(), "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "encoding", "printed"),
    [
        (["calibrate", "--print", "W\udcfcrfel.svg"], "utf-8", "W\\udcfcrfel.svg"),
        (["rules", "yatzy"], "iso-8859-1", "Yatzy\xa0\\u2013 le jeu scandinave"),
    ],
)
def test_what_cannot_be_printed_ends_no_command(
    call: list[str], encoding: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    out = io.BytesIO()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.setattr(sys, "argv", ["yacht", *call])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding, errors="strict"))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert printed in out.getvalue().decode(encoding)
