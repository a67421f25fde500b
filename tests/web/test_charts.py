"""Charts of past games."""

import re
import xml.etree.ElementTree as ET

import pytest

from tests.web.archived import Archived, archive
from web.history import charts

__all__ = ["archive"]


@pytest.mark.parametrize("scores", [[1, 2], [0, 0, 0], [100, 250, 90, 300], list(range(50))])
def test_charts_are_xml_and_stay_inside(scores: list[int]):
    chart = charts.lines("Scores <&>", {"Ana & Ben": scores, "Cleo": scores[:2], "Dora": scores})
    root = ET.fromstring(chart)  # noqa: S314 - our own text
    assert root.attrib["aria-label"] == "Scores <&>"
    for line in root.iter("polyline"):
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= charts.WIDTH
            assert 0 <= y <= charts.HEIGHT
    names = [each.attrib for each in root.iter("text") if each.attrib["class"] == "name"]
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert len(names) == 3
    assert all(float(each["x"]) + 20 * 7 <= width for each in names)  # of twenty letters
    assert all(charts.HEIGHT < float(each["y"]) < height for each in names)
    assert width <= 360  # else letters of 14 are too small on a phone
    assert "style=" not in chart


def test_a_chart_of_one_game_is_none():
    assert charts.lines("x", {"Ana": [100]}) == ""
    assert charts.bars("x", {}) == ""
    assert charts.bars("x", {"Ones": 0.0}) == ""


def test_bars_are_as_long_as_their_values():
    root = ET.fromstring(charts.bars("x", {"Ones": 2.0, "Twos": 4.0}))  # noqa: S314 - our own text
    one, two = (float(bar.attrib["width"]) for bar in root.iter("rect"))
    assert two == pytest.approx(2 * one)
    assert ">2,0<" in charts.bars("x", {"Ones": 2.0}, lambda value: f"{value:.1f}".replace(".", ","))


def test_a_chart_writes_numbers_as_its_page(archive: Archived):
    archive.play("Ana", "Ben", rules="yacht-1938")
    page = archive.client.get("/history", headers={"Accept-Language": "de"}).get_data(as_text=True)
    told = re.findall(r'class="tick"[^>]*>([\d.,]+)</text>', page.split('class="bar"', 1)[1])
    assert told
    assert all(re.fullmatch(r"[\d.]+,\d", each) for each in told)
