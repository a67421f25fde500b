"""The core names no feature: see `tests.features.core_words`."""

import pytest

from tests.features.core_words import MOST, code, said, words


@pytest.mark.parametrize("name", words())
def test_the_core_says_no_more_words_of_a_feature(name):
    lines = [f"{path}:{number}: {line}" for path, number, line in said(words()[name])]
    assert len(lines) <= MOST.get(name, 0), "\n".join(lines)


def test_remarks_and_docstrings_name_what_they_like(tmp_path):
    (tmp_path / "a.py").write_text(
        '"""stakes"""\n\ndef a() -> str:\n    """Stakes."""\n    # stakes\n    return "stakes"\n'
    )
    assert list(code(tmp_path / "a.py")) == [(3, "def a str"), (6, 'return "stakes"')]
