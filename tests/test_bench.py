"""Every section that `make bench` lists can be run: nothing it needs has gone or is called otherwise."""

import importlib

import pytest

from bench.__main__ import SECTIONS


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_the_bench_is_there(section):
    assert callable(importlib.import_module(f"bench.{section}").run)
