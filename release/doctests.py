"""For the site: examples in docstrings (`>>>`) as code, where Markdown would see a quotation."""

from collections.abc import Iterator
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor


class _Fences(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return list(fenced(lines))


def fenced(lines: list[str]) -> Iterator[str]:
    """The lines, with fences round each block that begins with a prompt and ends with an empty line.

    >>> list(fenced(["So:", ">>> 1 + 1", "2", "", "Well."]))[:-1]
    ['So:', '', '```pycon', '>>> 1 + 1', '2', '```', '', 'Well.']
    """
    inside = False
    for line in (*lines, ""):
        if not inside and line.startswith(">>> "):
            inside = True
            yield from ("", "```pycon")
        if inside and not line.strip():
            inside = False
            yield "```"
        yield line


class Doctests(Extension):
    """Puts the fences there before anything else looks at them."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - as its base has it
        """Register with Markdown."""
        md.preprocessors.register(_Fences(md), "doctests", 100)


def makeExtension(**settings: Any) -> Doctests:  # noqa: N802 - Markdown looks for this name
    """For Markdown."""
    return Doctests(**settings)
