"""A shelf keeps what was used last, and never more than its share."""

from hypothesis import given, settings
from hypothesis import strategies as st

from station.advice.budget import LruCache


def test_a_shelf_drops_what_was_used_longest_ago():
    shelf = LruCache(10)
    shelf.put("a", "A", 4)
    shelf.put("b", "B", 4)
    assert shelf.get("a") == "A"  # so b was used longest ago
    shelf.put("c", "C", 4)
    assert [shelf.get(key) for key in "abc"] == ["A", None, "C"]
    assert shelf.put("d", "D", 11) == "D"
    assert [shelf.get(key) for key in "acd"] == ["A", "C", None]


def test_a_shelf_keeps_so_many_pieces_however_small():
    shelf = LruCache(1_000, 2)
    for key in "abc":
        shelf.put(key, key)
    assert [shelf.get(key) for key in "abc"] == [None, "b", "c"]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9), st.booleans()), max_size=60))
def test_a_shelf_is_never_over_its_share(steps):
    shelf = LruCache(20)
    for key, size, puts in steps:
        if puts:
            shelf.put(key, key, size)
            assert shelf.get(key) == key
        else:
            assert shelf.get(key) in {None, key}
        assert shelf._sum() <= 20
