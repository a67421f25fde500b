"""Drawings follow the pins and the calculator; printed parts are solid and fit the printer."""

import re
import struct
from collections import Counter
from itertools import combinations

import pytest
from defusedxml import ElementTree
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given
from hypothesis import strategies as st

from hardware import header, pages, stand, wiring
from hardware.solid import pull_up, rectangle, round_hole, size_mm, stl, volume_mm3
from station.config import Pins
from tests.appliance.helpers import ROOT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("revision", ["a02082", "c03111", "c04170"])  # Pi 3B, 4B, 5
def test_the_header_is_that_of_a_real_pi(revision):
    board = PiBoardInfo.from_revision(int(revision, 16)).headers["J8"]
    for pin in range(1, header.PINS + 1):
        function = board.pins[pin].name
        expected = {"ground": "GND", "5 V": "5V", "3.3 V": "3V3"}.get(
            header.label(pin), header.label(pin).replace(" ", "")
        )
        assert function == expected


def test_every_wired_part_is_in_the_drawing_at_its_pin():
    pins = Pins(undo_button=8, encoder=(23, 24, 25), buzzer=18)
    texts = [text.text for text in ElementTree.fromstring(wiring.draw(pins)).iter(f"{SVG}text")]
    for name, gpio in pins.used():
        assert f"{name} · GPIO {gpio}, pin {header.header_pin(gpio)}" in texts


@pytest.mark.thorough
@given(st.permutations(range(2, 28)))
def test_wires_of_any_wiring_do_not_cross_and_stay_on_the_sheet(numbers):
    pins = Pins(hold_buttons=numbers[:5], hold_lamps=numbers[5:10], confirm_button=numbers[10],
                confirm_lamp=numbers[11], buzzer=numbers[12])  # fmt: skip
    drawing = ElementTree.fromstring(wiring.draw(pins))
    ends = []
    for path in drawing.iter(f"{SVG}path"):
        values = [float(value) for value in re.findall(r"-?[\d.]+", path.get("d"))]
        assert min(values) >= 0
        assert max(values[0::2]) <= float(drawing.get("width"))
        assert max(values[1::2]) <= float(drawing.get("height"))
        if path.get("stroke") != "#000000":  # the ground wire may have to, with unlucky pins
            ends.append((values[0] < 480, values[1], values[-1]))
    for one, other in combinations(ends, 2):
        if one[0] == other[0]:
            assert (one[1] < other[1]) == (one[2] < other[2])


@pytest.mark.parametrize("name", sorted(pages.drawings()))
def test_pictures_in_the_documents_are_the_ones_that_would_be_drawn_now(name):
    drawn = (ROOT / "docs" / "build" / name).read_text(encoding="utf-8")
    assert drawn == pages.drawings()[name], "run: .venv/bin/python -m hardware"


@pytest.mark.parametrize("name", pages.tables())
def test_tables_in_the_documents_are_the_ones_that_would_be_made_now(name):
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == pages.filled(page, pages.tables()[name]), "run: .venv/bin/python -m hardware"


@pytest.mark.parametrize("name", sorted(pages.drawings()))
def test_words_in_a_picture_stay_on_the_sheet(name):
    drawing = ElementTree.fromstring(pages.drawings()[name])
    for text in drawing.iter(f"{SVG}text"):
        width = 0.55 * float(text.get("font-size")) * len(text.text or "")  # of a broad sans-serif
        left = float(text.get("x")) - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
        assert left >= 0, text.text
        assert left + width <= float(drawing.get("width")), text.text
        assert float(text.get("y")) <= float(drawing.get("height")), text.text


def edges(solid):
    return Counter(
        (p, q) for a, b, c in solid for p, q in ((a, b), (b, c), (c, a))
    )  # fmt: skip


@pytest.mark.parametrize("measures", [{}, {"height": 460.0, "reach": 180.0}, {"tube": 15.0, "wall": 1.0}])
def test_every_printed_part_is_closed_and_fits_the_printer(measures):
    for name, solids in stand.parts(stand.CameraStand(**measures)).items():
        for solid in solids:
            found = edges(solid)
            assert all(found[edge] == found[edge[::-1]] for edge in found), name
            assert volume_mm3(solid) > 0
        assert all(side <= 210 for side in size_mm(solids)), name
        assert min(z for solid in solids for corners in solid for *_, z in corners) == 0, name


def test_plugs_go_into_the_tubes():
    measures = stand.CameraStand()
    assert measures.inner == pytest.approx(20 - 2 * 1.5 - 2 * 0.15)
    (elbow,) = stand.elbow(measures)
    assert size_mm([elbow])[2] == pytest.approx(measures.inner)


def test_a_hole_takes_away_what_it_should():
    with_hole = pull_up(rectangle((30, 30)), 4, holes=[rectangle((10, 6)), round_hole((10, 10), 5)])
    bolt = volume_mm3(pull_up(round_hole((10, 10), 5), 4))
    assert volume_mm3(with_hole) == pytest.approx(30 * 30 * 4 - 10 * 6 * 4 - bolt)


def test_the_stl_file_is_what_the_format_says():
    solids = stand.foot(stand.CameraStand())
    data = stl(solids, "foot")
    (count,) = struct.unpack_from("<I", data, 80)
    assert count == sum(len(solid) for solid in solids)
    assert len(data) == 84 + 50 * count
    assert not data.startswith(b"solid"), "programs would take it for a text file"
