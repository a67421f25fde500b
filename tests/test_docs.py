"""The documents and the product say the same."""

import re
import subprocess
from pathlib import Path

import pytest

from station.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_of_a_page_exists(page):
    missing = [
        target
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not target.startswith(("http://", "https://")) and not (page.parent / target).exists()
    ]
    assert not missing


def test_the_readme_leads_to_every_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.parent != ROOT and f"docs/{page.name}" not in readme] == []


def test_every_command_is_explained_in_some_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in COMMANDS if f"yacht {name}" not in text] == []


def test_make_alone_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE).group(1).split()
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [target for target in phony if not re.search(rf"^{target}\s", listed, re.MULTILINE)] == []
