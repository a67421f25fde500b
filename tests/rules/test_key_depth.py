"""How deep dotted keys go, before TOML is read at all."""

import pytest

from station.rules.key_depth import deepest_key


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("", 0),
        ("a = 1", 1),
        ('"a" = 1', 1),
        ("'a' = 1", 1),
        ("a.b = 1", 2),
        ("a.b.c = 1\nd = 2", 3),
        ("d = 2\na.b.c = 1", 3),
        ("ABC.XYZ.x = 1", 3),
        ("a = 1.5", 2),
        ('"a.b".c = 1', 2),
        ("'a.b'.\"c\" = 1", 2),
        ("a = 'b.c.d'", 1),
        ('a = "b\\".c.d"', 1),
        ('a = """b.c\n".d.e"""', 1),
        ("a = '''b.c\n'.d.e'''", 1),
        ('a = """b.c " "" \\""" .d.e"""', 1),
        ("# a.b.c\nd.e = 1", 2),
        ("d.e = 1 # a.b.c", 2),
        ('a.b = "c.d.e', 2),
        ("a.b = 'c.d.e", 2),
        ("a.b # c.d.e", 2),
    ],
)
def test_the_deepest_key_counts(text, depth):
    assert deepest_key(text) == depth
