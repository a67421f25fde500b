"""`make docs`: one static site from README and docs/, with a reference of every room from its docstrings.

The pages lie in the site as they lie here, so that their links need no rewriting. Every link, and every
heading that one leads to, has to exist, or nothing is built. Nothing in the pages is fetched from elsewhere.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
STAGED = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"
PACKAGES = ("messages", "station", "board", "vision", "calibration", "pictures", "simulator", "web")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(?:#[^)]*)?\)")
"""Text and target; what leads to a heading of the same page is left out."""


def links(page: Path) -> Iterator[tuple[str, Path]]:
    """The text of each link of a page to something here, and where it leads."""
    for title, target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield title, (page.parent / target).resolve()


def pages(start: Path) -> set[Path]:
    """Everything that can be reached from a page by links: pages, pictures, files."""
    found: set[Path] = set()
    ahead = [start]
    while ahead:
        one = ahead.pop()
        if one in found or not one.is_file():  # MkDocs reports a missing page, with the page that links to it
            continue
        found.add(one)
        if one.suffix == ".md":
            ahead += [target for _, target in links(one)]
    return found


def reference(root: Path) -> Iterator[tuple[str, str]]:
    """Name and text of a page for each folder of a package: all its modules, by their docstrings."""
    for package in PACKAGES:
        for folder in sorted({path.parent for path in (root / package).rglob("*.py")}):
            name = ".".join(folder.relative_to(root).parts)
            modules = sorted(path.stem for path in folder.glob("[!_]*.py"))
            lines = [f"# {name}", f"::: {name}\n    options:\n      members: false"]
            lines += [f"## {name}.{each}\n\n::: {name}.{each}" for each in modules]
            yield name, "\n\n".join(lines) + "\n"


def settings(readme: Path, rooms: list[str]) -> dict[str, Any]:
    """The configuration of MkDocs: the pages in the order of README's own list, then the reference."""
    start = readme.read_text(encoding="utf-8").partition("## Read on")[2].partition("\n## ")[0]
    listed = [{title: target} for title, target in LINK.findall(start)]
    return {
        "site_name": "Yacht Station",
        "docs_dir": str(STAGED),
        "site_dir": str(SITE),
        "theme": {"name": "readthedocs", "highlightjs": False},
        "use_directory_urls": False,
        "strict": True,
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "warn"}},
        "nav": [
            {"Yacht Station": "README.md"},
            *listed,
            {"Reference": [{name: f"reference/{name}.md"} for name in rooms]},
        ],
        "not_in_nav": "*.md",
        "markdown_extensions": [
            "release.doctests",
            "tables",
            "pymdownx.superfences",
            "pymdownx.highlight",
            {"toc": {"permalink": True}},
        ],
        "plugins": [
            "search",
            {
                "mkdocstrings": {
                    "handlers": {
                        "python": {
                            "paths": [str(ROOT)],
                            "options": {
                                "docstring_style": None,
                                "heading_level": 3,
                                "show_root_heading": False,
                                "show_root_toc_entry": False,
                                "show_source": False,
                                "show_signature_annotations": True,
                                "show_if_no_docstring": False,
                            },
                        }
                    }
                }
            },
        ],
    }


def stage() -> Path:
    """Lay the pages out below `build/`, and say where the settings lie."""
    shutil.rmtree(STAGED, ignore_errors=True)
    readme = ROOT / "README.md"
    for file in pages(readme):
        target = STAGED / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    (STAGED / "reference").mkdir()
    rooms = []
    for name, text in reference(ROOT):
        (STAGED / "reference" / f"{name}.md").write_text(text, encoding="utf-8")
        rooms.append(name)
    config = STAGED.parent / "mkdocs.yml"  # JSON is YAML
    config.write_text(json.dumps(settings(readme, rooms), indent=1), encoding="utf-8")
    return config


def main() -> int:
    """Build the site; 1 where a link leads nowhere."""
    call = (sys.executable, "-m", "mkdocs", "build", "--clean", "--config-file", str(stage()))
    done = subprocess.run(call, check=False, cwd=ROOT, capture_output=True, text=True)  # our own
    if done.returncode:  # not with --quiet: MkDocs would not count its warnings
        sys.stderr.write(done.stderr)
        return 1
    sys.stdout.write(f"The site: {(SITE / 'index.html').relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
