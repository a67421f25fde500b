"""Golden transcripts: a game of each way of playing, as it was written down, still says the same."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from station.features.listed import FEATURES
from station.game import notation
from station.game.log.state import totals
from station.game.replaying import steps

FOLDER = Path(__file__).parent / "transcripts"


def transcripts() -> Iterator[ParameterSet]:
    """Each says in a line `# Needs …` by which features it is played."""
    for path in sorted(FOLDER.glob("*.txt")):
        needs = re.findall(r"^# Needs (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        marks = [pytest.mark.needs_feature(*names.split(", ")) for names in needs]
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", list(transcripts()))
def test_a_transcript_says_what_it_said(path: Path):
    text = path.read_text(encoding="utf-8")
    end = list(steps(notation.numbered(text)))[-1][2]
    told = ", ".join(f"{player.name} {totals(end, player).total}" for player in end.players)
    notes = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    assert notes[0] == told
    assert all(str(each) in notes for feature in FEATURES for each in feature.at_end(end))
    assert not end.running
    written = notation.page(event for _, event in notation.numbered(text))
    assert written == "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("#"))
