"""Solutions from the tables that ship, loaded once."""

import json
from functools import cache
from pathlib import Path

import pytest

from station.advice.advisor import Advisor
from station.rules import built_in


@pytest.fixture(scope="session")
def solution_of():
    """The solution of a built-in rule set by its id."""
    advisor = Advisor()

    @cache
    def solution(rules_id):
        return advisor.solution_now(built_in(rules_id))

    return solution


@pytest.fixture(scope="session")
def oracle(rules_documents: Path) -> list[dict]:
    text = (rules_documents / "oracle.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
