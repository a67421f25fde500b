"""Past games for the outside world: CSV for a spreadsheet, JSON for programs, a sheet to print."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Final

from messages.catalogue import DEFAULT, text
from messages.message import Message
from station.contract.view import as_json, in_json
from station.features.listed import FEATURES
from station.game import notation
from station.game.evolve import of_last_game, replay
from station.game.feature import ahead as begun_with
from station.game.log.event import Event
from station.game.log.state import State, totals
from station.rules import Totals
from station.store.archive import FinishedGame, FinishedPlayer, end_of, rules_of

HEAD: Final = ("game", "rules", "started_at", "finished_at", "ended_early")
SUMS: Final = ("won", "total", "upper", "bonus", "extra")
"""Fields of games and players that stand in a line of CSV as they are."""


def csv_text(games: Sequence[FinishedGame], parted: str = ",") -> str:
    """A line for each player of each game, oldest first; a column for each box of any of them (RFC 4180).

    What ended the game, who had left it and with how many points one began stand last: columns that were
    there before stay where they are.
    games: the latest first. parted: the separator of columns.
    """
    categories = list(dict.fromkeys(box for game in games for player in game.players for box in player.boxes))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=parted)
    added = [each.name for feature in FEATURES if feature.column_view for each in fields(feature.column_view)]
    writer.writerow([*HEAD, "player", *SUMS, *categories, "ended_by", "gone", *added])
    for game in reversed(games):
        for player in game.players:
            boxes = ["" if (points := player.boxes.get(box)) is None else points for box in categories]
            values = in_json(player)
            sums, last = ([int(values[name]) for name in names] for names in (SUMS, ("gone", *added)))
            head = (getattr(game, name) for name in HEAD)
            writer.writerow([*head, as_text(player.name), *sums, *boxes, game.ended_by, *last])
    return out.getvalue()


def as_text(name: str) -> str:
    """A name that no spreadsheet takes for a formula.

    >>> as_text("=1+1"), as_text("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name


def json_text(games: Sequence[FinishedGame], transcripts: Mapping[int, Sequence[Event]]) -> str:
    """Everything known of the games, each with its transcript (`station.game.notation`), line by line."""
    full = [
        as_json(game) | {"transcript": notation.write(transcripts.get(game.game, ())).splitlines()}
        for game in games
    ]
    return json.dumps({"games": full}, indent=1, ensure_ascii=False) + "\n"


def page_text(game: FinishedGame, events: Sequence[Event]) -> str:
    """One game as the text that `yacht replay` reads: a turn on a line, without undone steps."""
    totals = ", ".join(f"{player.name} {player.total}" for player in game.players).replace("\n", " ")
    return f"# {game.day} {game.rules}: {totals}\n{notation.page(of_last_game(replay(events).past))}"


def state_text(end: State, language: str = DEFAULT) -> str:
    """The sheet of a game as it stands."""
    labels = {box.category: text(box.label, language) for box in end.played.boxes}
    sums = [totals(end, player) for player in end.players]
    rows = [
        [labels[each], *(_points(player.sheet.points(each)) for player in end.players)]
        for each in end.played.categories
    ]
    ahead = [player.sheet.ahead for player in end.players]
    return "\n".join(_table([player.name for player in end.players], rows, sums, ahead, language))


def sheet_text(game: FinishedGame, language: str = DEFAULT, events: Sequence[Event] = ()) -> str:
    """One game as a score sheet in plain text, a column for each player; below it who owes whom.

    events: all of the game; without them nothing is settled.
    """
    labels = box_labels(game.rules, language, events)
    players = game.players
    rows = [
        [labels.get(box, box), *(_points(player.boxes[box]) for player in players)]
        for box in players[0].boxes
    ]
    ahead = [player.ahead for player in players]
    body = _table([player.name for player in players], rows, players, ahead, language)
    about = Message("sheet-text/title", game=game.game, rules=game.rules, day=game.when.date())
    owed = [text(each, language) for feature in FEATURES for each in feature.at_end(end_of(events))]
    return "\n".join([text(about, language), "", *body, *(["", *owed] if owed else [])]) + "\n"


def _table(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    sums: Sequence[FinishedPlayer | Totals],
    ahead: Sequence[int],
    language: str,
) -> list[str]:
    """The lines of a sheet: names, boxes, what comes on top, totals."""
    on_top = {
        Message("html/common/bonus"): [each.bonus for each in sums],
        Message("page/common/extra"): [each.extra for each in sums],
        **dict.fromkeys(begun_with(), ahead),
    }
    above = [[text(label, language), *map(str, points)] for label, points in on_top.items() if any(points)]
    head, total = (
        ["", *names],
        [text(Message("page/common/total"), language), *(str(each.total) for each in sums)],
    )
    cells = [*rows, *above]
    widths = [max(len(row[i]) for row in (head, *cells, total)) for i in range(len(head))]
    line = "-" * (sum(widths) + 2 * len(widths) - 2)
    return [_row(head, widths), line, *(_row(row, widths) for row in cells), line, _row(total, widths)]


def box_labels(rules_id: str, language: str = DEFAULT, events: Sequence[Event] = ()) -> dict[str, str]:
    """The rule set's labels of its boxes; empty for rules that no longer exist.

    events: of the game, which has its house rules.
    """
    rules = rules_of(rules_id, events)
    return {} if rules is None else {box.category: text(box.label, language) for box in rules.boxes}


def _points(points: int | None) -> str:
    return "" if points is None else str(points)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *others]).rstrip()
