"""Draws the pictures of docs/build/ and fills in the tables of docs/build.md."""

from pathlib import Path

from hardware import pictures, wiring
from station.camera import mounting
from station.config import Pins

DOCS = Path(__file__).parent.parent / "docs"
_TRAYS_MM = ((180.0, 130.0), (240.0, 180.0), (300.0, 220.0))


def drawings() -> dict[str, str]:
    """Every picture by its file name."""
    return {
        "wiring.svg": wiring.draw(Pins()),
        "height.svg": pictures.draw_height(),
        "stand-bracket.svg": pictures.draw_shelf_stand(),
        "stand-printed.svg": pictures.draw_printed_stand(),
        "head.svg": pictures.draw_head(),
        "light.svg": pictures.draw_light(),
    }


def heights() -> str:
    """Camera height against tray and lens, as a table in Markdown."""
    lines = [
        "| camera | " + " | ".join(f"tray {long:g} by {short:g} mm" for long, short in _TRAYS_MM) + " |",
        "|---|" + "---:|" * len(_TRAYS_MM),
    ]
    for camera in mounting.LENSES:
        cells = []
        for tray in _TRAYS_MM:
            height = mounting.height_mm(camera, tray)
            seen = mounting.place(camera, tray, height)
            steep = " (steep)" if seen.lean_deg > mounting.LEAN_MAX_DEG else ""
            cells.append(f"{height / 10:.0f} cm{steep}")
        lines.append(f"| {camera.title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def tables() -> dict[str, str]:
    """Every table by its name in the page."""
    return {"wiring": wiring.table(Pins()), "heights": heights()}


def filled(page: str) -> str:
    """The page with every table as it is now, each between its two marks."""
    for name, rows in tables().items():
        before, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"the page has no place for the table {name!r}")
        page = before + start + rows + "\n" + end + after
    return page


def write(docs: Path = DOCS) -> int:
    """Write all of it."""
    (docs / "build").mkdir(exist_ok=True)
    for name, drawing in drawings().items():
        (docs / "build" / name).write_text(drawing, encoding="utf-8")
    page = docs / "build.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0
