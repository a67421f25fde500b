"""Copies that are put back are tried in the process of the tests: to start one for it takes 2 s.

`tests/store/test_trial.py` and `tests/process/test_rescue.py` start it.
"""

import pytest

from station.copy_trial import try_copy


@pytest.fixture(autouse=True)
def copies_tried_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a folder whose conftest has this."""
    monkeypatch.setattr("station.store.store.tried", try_copy)
