"""Debouncing and long presses, with times given by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.devices.debounce import ButtonEvent, Contact

DOWN, SHORT, LONG, STUCK, FREED = ButtonEvent


def history(contact: Contact, edges: list[tuple[float, bool]], until_s: float) -> list[ButtonEvent]:
    """What comes about when these edges arrive and the clock then runs on, looked at when due."""
    found: list[ButtonEvent] = []
    for at_s, level in edges:
        while (due_s := contact.due_s()) is not None and due_s <= at_s:
            found += contact.tick(due_s + 1e-9)
        found += contact.feed(level, at_s)
    while (due_s := contact.due_s()) is not None and due_s <= until_s:
        found += contact.tick(due_s + 1e-9)
    return found


@pytest.mark.parametrize(
    ("edges", "wanted"),
    [
        pytest.param([(0.0, True), (0.1, False)], [DOWN, SHORT], id="clean"),
        pytest.param(
            [(0.0, True), (0.001, False), (0.002, True), (0.1, False), (0.101, True), (0.103, False)],
            [DOWN, SHORT],
            id="bounces at both ends",
        ),
        pytest.param([(0.0, True), (0.003, False)], [], id="a spike is noise"),
        pytest.param(
            [(0.0, True), (0.1, False), (0.104, True), (0.3, False)], [DOWN, SHORT], id="a gap is a bounce"
        ),
        pytest.param([(0.0, True), (0.1, False), (0.2, True), (0.3, False)], [DOWN, SHORT] * 2, id="twice"),
        pytest.param([(0.0, True), (0.9, False)], [DOWN, LONG], id="long"),
        pytest.param([(0.0, True), (0.69, False)], [DOWN, SHORT], id="not quite long"),
        pytest.param([(0.0, True), (0.705, False)], [DOWN, LONG], id="just long, released while settling"),
        pytest.param([(0.0, True)], [DOWN, LONG, STUCK], id="stuck"),
        pytest.param([(0.0, True), (30.0, False)], [DOWN, LONG, STUCK, FREED], id="stuck and freed"),
        pytest.param([(0.0, True), (0.0, True), (0.1, False)], [DOWN, SHORT], id="told twice"),
        pytest.param([(0.0, False)], [], id="opened without having closed"),
    ],
)  # fmt: skip
def test_edges_become_presses(edges, wanted):
    assert history(Contact(long_s=0.7), edges, 100.0) == wanted


def test_a_button_without_a_long_press_counts_at_the_press_however_long():
    assert history(Contact(), [(0.0, True), (3.0, False)], 100.0) == [DOWN, SHORT]


def test_a_worker_that_comes_late_judges_by_the_times_of_the_edges():
    contact = Contact(long_s=0.7)
    # Both edges waited in the queue for two seconds: it was a short press all the same.
    found = contact.feed(level=True, at_s=10.0) + contact.feed(level=False, at_s=10.2) + contact.tick(12.2)
    assert found == [DOWN, SHORT]


@given(st.lists(st.tuples(st.floats(0.0001, 2.0), st.booleans()), max_size=40))
def test_presses_and_releases_always_alternate(steps):
    contact = Contact(long_s=0.7, stuck_s=5.0)
    at_s, edges = 0.0, []
    for wait_s, level in steps:
        at_s += wait_s
        edges.append((at_s, level))
    found = history(contact, [*edges, (at_s + 1.0, False)], at_s + 100.0)
    assert not contact.down
    presses: list[tuple[ButtonEvent, ...]] = []
    for happening in found:
        if happening is DOWN:
            presses.append(())
        presses[-1] += (happening,)
    assert set(presses) <= {(DOWN, SHORT), (DOWN, LONG), (DOWN, LONG, STUCK, FREED)}
