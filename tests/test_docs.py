"""The documents and the product say the same."""

import re
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from station.cli import COMMANDS, yacht

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
DECISIONS = ROOT / "docs" / "decisions"
OTHERS = [
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "vision/models/NOTICE.md")),
    *(ROOT / folder / "README.md" for folder in ("examples", "lab", "lab/training")),
    *sorted(DECISIONS.glob("*.md")),
]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
"""Where a link leads, and to which heading there."""
ROOMS = "bench|board|calibration|docs|examples|hardware|lab|messages|pictures|simulator|station|systemd|tests"
ROOMS += "|vision|web"
MODULE = re.compile(rf"`((?:{ROOMS})(?:\.\w+)+)`")
FILE = re.compile(rf"`((?:{ROOMS})/[\w./-]+)`")
TO_BE_WRITTEN = re.compile(r"NAME|\bxx\b")
"""What recipes call a file that is not there yet."""


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_and_picture_of_a_page_exists(page):
    missing = [
        f"{target}#{heading}"
        for target, heading in LINK.findall(page.read_text(encoding="utf-8"))
        if not target.startswith(("http://", "https://"))
        and (
            not (there := page.parent / target if target else page).exists()
            or heading not in _headings(there)
        )
    ]
    assert not missing


@cache
def _headings(page: Path) -> set[str]:
    """What links call the headings of a page; the empty one is its top."""
    text = page.read_text(encoding="utf-8") if page.suffix == ".md" else ""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {""} | {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_leads_to_every_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.parent != ROOT and f"docs/{page.name}" not in readme] == []


def test_every_decision_says_why_and_what_it_costs_and_is_listed():
    listed = (DECISIONS / "README.md").read_text(encoding="utf-8")
    for page in DECISIONS.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert page.name == "README.md" or f"]({page.name})" in listed
        assert page.name == "README.md" or all(
            f"**{part}.**" in text for part in ("Context", "Choice", "Costs")
        ), page.name


def test_code_cites_only_pages_that_a_reader_has():
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    cited = {
        page
        for path in listed.stdout.split()
        for page in re.findall(r"\b[\w/-]+\.md\b(?=[,;:). ])", (ROOT / path).read_text(encoding="utf-8"))
        if not any(folder.joinpath(page).exists() for folder in (ROOT, (ROOT / path).parent))
    }
    assert cited == set()


def _sources() -> dict[Path, str]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", ":!CHANGELOG.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {ROOT / path: (ROOT / path).read_text(encoding="utf-8") for path in listed.stdout.split()}


def _is_there(dotted: str) -> bool:
    """Whether a room, a module, or what is named in one is there."""
    path, names = ROOT, dotted.split(".")
    while names and path.joinpath(names[0]).is_dir():
        path = path / names.pop(0)
    if not names:
        return True
    module = path / f"{names.pop(0)}.py"
    return module.is_file() and all(name in module.read_text(encoding="utf-8") for name in names)


@pytest.mark.needs_feature
def test_files_and_modules_that_are_cited_are_there():
    cited = {
        (str(source.relative_to(ROOT)), name)
        for source, text in _sources().items()
        for name, there in [
            *((name, _is_there(name)) for name in MODULE.findall(text) if not name.endswith(".toml")),
            *((name, (ROOT / name).exists()) for name in FILE.findall(text)),
        ]
        if not there and not TO_BE_WRITTEN.search(name)
    }
    assert cited == set()


def test_every_command_is_explained_in_some_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in COMMANDS if f"yacht {name}" not in text] == []


def test_the_contract_tells_what_every_command_prints_as_json():
    told = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8").partition("| command | `--json`")[2]
    table = told.partition("\n\n")[0]
    for name in COMMANDS:
        command = yacht.get_command(click.Context(yacht), name)
        assert command is not None
        if any("--json" in each.opts for each in command.params):
            assert f"`yacht {name}" in table


def test_make_alone_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE).group(1).split()
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [target for target in phony if not re.search(rf"^{target}\s", listed, re.MULTILINE)] == []
