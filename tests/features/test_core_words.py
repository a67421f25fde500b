"""The core names no feature: see `tests.features.core_words`."""

import pytest

from tests.features.core_words import ROOMS, code, code_of_script, said, words


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("name", words(ROOMS[0]))
def test_the_core_says_no_word_of_a_feature(room, name):
    assert [f"{path}:{number}: {line}" for path, number, line in said(room, name)] == []


def test_remarks_and_docstrings_name_what_they_like(tmp_path):
    (tmp_path / "a.py").write_text(
        '"""stakes"""\n\ndef a() -> str:\n    """Stakes."""\n    # stakes\n    return "stakes"\n'
    )
    assert list(code(tmp_path / "a.py")) == [(3, "def a str"), (6, 'return "stakes"')]


def test_so_do_remarks_of_scripts(tmp_path):
    (tmp_path / "a.js").write_text('// stakes\n/** Two\n * stakes. */\nconst a = "//stakes"; // stakes\n')
    assert list(code_of_script(tmp_path / "a.js")) == [(4, 'const a = "//stakes";')]
