"""A whole game in which all play at once, as it was written down."""

import re
from pathlib import Path

from station.game import notation
from station.game.evolve import replay
from station.game.log.state import Phase, totals
from web.advice.explanations import scored

GOLDEN = Path(__file__).parent / "golden" / "together.txt"


def test_the_golden_transcript_ends_as_it_did():
    text = GOLDEN.read_text(encoding="utf-8")
    told = dict(re.findall(r"^# (\w+): (\d+)$", text, flags=re.MULTILINE))
    events = notation.read(text)
    assert notation.write(events) == "".join(
        f"{line}\n" for line in text.splitlines() if line and not line.startswith("#")
    )
    state = replay(events)
    assert {player.name: str(totals(state, player).total) for player in state.players} == told
    assert (state.phase, state.ended_by) == (Phase.FINISHED, "complete")
    assert [player.gone for player in state.players] == [False, False, True, False]


def test_every_box_that_was_written_can_be_explained():
    events = notation.read(GOLDEN.read_text(encoding="utf-8"))
    state = replay(events)
    assert state.rules is not None
    for player in state.players:
        assert list(scored(state.rules, player)) == [filling.category for filling in player.fillings]
    first = state.players[0]
    told = scored(state.rules, first)[first.fillings[0].category]
    assert str(told) == "Choice: 5-5-6-6-6 add up to 28."
