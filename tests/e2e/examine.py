"""What a person would stumble over on a page: what axe-core finds, what sticks out, is small or overlaps."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.e2e.helpers import SIZES, Screen

AXE = Path(__file__).parent / "axe" / "axe.min.js"
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "selectors": False,
}
"""What axe-core looks for. To list what is right, and paths of elements, takes it as long as the rules."""
COLOURS = {**OPTIONS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth;
    const held = '.paper, .scroller, .vh, #cheer, .skip, .tv-paper, dialog:not([open])';
    return [...document.body.querySelectorAll('*')].filter((node) => {
        const box = node.getBoundingClientRect();
        if (!box.width || !box.height || node.matches('.tv > main')) return false; // it wanders by itself
        return (box.right > wide + 1 || box.left < -1) && !node.closest(held);
    }).map((node) => node.outerHTML.slice(0, 120)); }"""
SMALL = """() => [...document.querySelectorAll('button, a[href], input, select, summary')].filter((node) => {
        const box = (node.closest('label') || node).getBoundingClientRect();
        const link = node.tagName === 'A' && !node.matches('.button, .menu a, .games a, nav a');
        const small = box.height < 47.5 || box.width < 47.5;
        const aside = (link && node.closest('p, dd, li')) || node.closest('.skip');
        return box.width && box.height && !aside && small;
    }).map((node) => node.outerHTML.slice(0, 120))"""
SIDEWAYS = """() => {
    const scrolls = (node) => node.scrollWidth > node.clientWidth;
    if (![document.documentElement, ...document.querySelectorAll('dialog[open]')].some(scrolls)) return [];
    const wide = document.documentElement.clientWidth;
    const far = (node) => node.getBoundingClientRect().right > wide;
    const nodes = [...document.querySelectorAll('*')].filter(far).map((node) => node.outerHTML.slice(0, 120));
    return [location.pathname, document.documentElement.scrollWidth, wide, ...nodes]; }"""
OVERLAP = (Path(__file__).parent / "overlap.js").read_text(encoding="utf-8")
"""Texts, controls and pictures that cover each other; what floats over a scrolled page is meant to."""


STILL = """() => document.getAnimations().every((each) =>
    each.playState === 'finished' || each.effect.getComputedTiming().endTime === Infinity)"""
"""What fades in has its own colours only at the end."""


def examine(screen: Screen) -> None:
    """Complain about everything there is to complain about on this page, or its open dialog, as it is."""
    examine_places(screen)
    _axe(screen, OPTIONS)


def examine_places(screen: Screen) -> None:
    """Complain about where things are and how large."""
    screen.page.wait_for_function(STILL)
    for name, look in (("sticks out", OUTSIDE), ("too small", SMALL), ("covers each other", OVERLAP)):
        found = screen.page.evaluate(look)
        assert not found, f"{name}: {found}"
    found = screen.page.evaluate(SIDEWAYS)
    assert not found, f"scrolls sideways: {found}"
    assert screen.page.evaluate("document.querySelector('.skip').getBoundingClientRect().bottom <= 0")


def examine_everywhere(
    screen: Screen, save: Callable[[Screen, str], None], name: str, sizes: Iterable[str] = SIZES
) -> None:
    """The same at each size, with a picture; and what is dark for its colours, the only difference.

    A television of four times the pixels has the colours and the words of the other one.
    """
    for size in sizes:
        screen.become(size, "light")
        save(screen, f"{name}-{size}-light")
        if size == "tv4k":
            examine_places(screen)
            continue
        examine(screen)
        screen.become(size, "dark")
        save(screen, f"{name}-{size}-dark")
        screen.page.wait_for_function(STILL)
        _axe(screen, COLOURS)


def _axe(screen: Screen, options: dict[str, Any]) -> None:
    # The page's own policy keeps scripts out that are not its own; the checker comes in as the tester's.
    if not screen.page.evaluate("'axe' in window"):
        screen.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = screen.page.evaluate("(options) => axe.run(document, options)", options)
    faults = [(each["id"], [node["html"][:160] + " " + node["failureSummary"] for node in each["nodes"]])
              for each in found["violations"]]  # fmt: skip
    assert not faults, json.dumps(faults, indent=1)
