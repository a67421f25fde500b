"""Every section that `make -C lab bench` lists can be run."""

import importlib

import pytest

from lab.bench.__main__ import SECTIONS


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_the_bench_is_there(section):
    assert callable(importlib.import_module(SECTIONS[section]).run)
