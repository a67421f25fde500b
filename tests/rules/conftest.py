"""The documents' worked examples and exact positions, for all tests of the rules."""

import csv
import json
from pathlib import Path

import pytest

from tests.wording import every_message_has_words

__all__ = ["every_message_has_words"]


@pytest.fixture(scope="session")
def seed_examples(rules_documents: Path) -> list[dict[str, str]]:
    with (rules_documents / "seed_examples.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def oracle(rules_documents: Path) -> list[dict]:
    text = (rules_documents / "oracle.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
