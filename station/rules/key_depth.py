"""The depth of the keys of a TOML text, determined before it is parsed.

tomllib takes time with the square of a key's parts: 60 kB of one dotted key take half a minute.
"""

import re

_BASIC = re.compile(r'(?:[^"\\\n]|\\.)*"')
_BASIC_LINES = re.compile(r'(?:[^\\"]|\\.|"(?!""))*"""', re.DOTALL)
_LITERAL = re.compile(r"[^']*'")
_LITERAL_LINES = re.compile(r".*?'''", re.DOTALL)
_TEXTS = {'"""': _BASIC_LINES, '"': _BASIC, "'''": _LITERAL_LINES, "'": _LITERAL}
"""Beginning of a string -> pattern of its rest, including its end."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]+|[ \t]+")
_END_OF_LINE = re.compile(r"[^\n]*")


def deepest_key(text: str) -> int:
    """The most parts that a key (or what looks like one, such as a number with a point) has.

    Texts and comments do not count. In one pass, whatever the text.

    >>> deepest_key('a.b = "c.d.e"  # f.g.h.i'), deepest_key("['a'.b.'c'.d]")
    (2, 4)
    """
    deepest = parts = at = 0
    while at < len(text):
        sign = text[at]
        if sign in "\"'":
            at = _behind_text(text, at)
            parts = max(parts, 1)
        elif found := _PLAIN.match(text, at):
            at = found.end()
            parts = max(parts, 1)
        elif sign == "#":
            at = _match_end(_END_OF_LINE, text, at)
        else:
            at += 1
            parts = parts + 1 if sign == "." else 0
        deepest = max(deepest, parts)
    return deepest


def _behind_text(text: str, at: int) -> int:
    """Behind the text that begins there; at the end where it does not end."""
    quotes = next(each for each in _TEXTS if text.startswith(each, at))
    return _match_end(_TEXTS[quotes], text, at + len(quotes))


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return len(text) if found is None else found.end()
