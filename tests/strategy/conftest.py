"""Solutions from the tables that ship, loaded once, and the distributions that follow from them."""

import json
from functools import cache
from pathlib import Path

import pytest

from station.advice.advisor import Advisor
from station.rules import built_in
from station.strategy.odds.distributions import distributions


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


@pytest.fixture(scope="session")
def table_of(solution_of):
    kept = {}

    def table(rules_id):
        if rules_id not in kept:
            kept[rules_id] = distributions(solution_of(rules_id))
        return kept[rules_id]

    return table
