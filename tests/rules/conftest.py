"""The documents' worked examples, for all tests of the rules."""

import csv
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def seed_examples(rules_documents: Path) -> list[dict[str, str]]:
    with (rules_documents / "seed_examples.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
