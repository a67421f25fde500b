"""Where a key stands in a TOML text; the standard parser does not say."""

import re

_TABLE = re.compile(r"\s*(\[\[?)\s*([\w-]+)\s*\]\]?")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[.=]""")


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    r"""The line, counted from 1, of a key, a table or the n-th of several tables.

    `path` is ("key",), ("table",), ("table", "key"), ("tables", 1) or ("tables", 1, "key"). What has no
    line of its own (a key that is missing) gets that of its table; the empty path is line 1.

    >>> text = 'id = "a"\n[bonus]\npoints = 35\n[[box]]\n[[box]]\nlabel = "x"'
    >>> [line_of(text, path) for path in [("bonus", "points"), ("box", 1, "label"), ("box", 1), ("none",)]]
    [3, 6, 5, 1]
    """
    here: tuple[str | int, ...] = ()
    found = 1
    reached = 0
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if table := _TABLE.match(line):
            brackets, name = table.groups()
            here = (name,)
            if brackets == "[[":
                here = (name, counts.get(name, 0))
                counts[name] = counts.get(name, 0) + 1
            place: tuple[str | int, ...] = here
        elif key := _KEY.match(line):
            place = (*here, key[1])
        else:
            continue
        if place == path:
            return number
        if place == path[: len(place)] and len(place) > reached:
            found, reached = number, len(place)
    return found
