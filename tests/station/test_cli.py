import importlib.util

import pytest

from station.cli import COMMANDS, run


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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_module(name):
    assert importlib.util.find_spec(f"station.commands.{name}") is not None
