"""The next round of a competition, and what a person may do at each moment. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from board import steps
from board.competition import Competition, Entrant, Result, Seating, Spot
from board.pairing import bracket, round_robin, rounds_of, seatings, swiss
from board.reports import Report, folded
from board.standings import duels, standings
from board.steps import System
from messages.errors import RefusalError
from station.contract.names import clean_name

Drawing = tuple[Sequence[tuple[int, ...]], Sequence[int]]
"""The entrants that meet, by seating, and those that rest."""


def next_round(
    competition: Competition, results: Mapping[Spot, Result], tables: Sequence[str]
) -> steps.Drawn:
    """The step that draws the next round. tables: names of tables, given to its games in this order.

    Raises RefusalError where there is none to draw.
    """
    number = len(competition.rounds)
    present = [each for each in competition.entrants if not each.absent]
    if len(present) < 2:  # noqa: PLR2004 - nobody plays alone
        raise RefusalError("board/too_few")
    planned = rounds_planned(competition)
    if number >= planned:
        raise RefusalError("board/all_drawn", count=planned)
    open_ = [spot for spot, _ in competition.games() if spot not in results]
    if open_ and competition.system is not System.ROUND_ROBIN:
        raise RefusalError("board/round_open", count=len(open_))
    met, resting = _drawing(competition, results, present)
    given = iter(tables)
    games = len(competition.entrants[0].players)
    found = tuple(
        steps.Met(entrants=each, tables=tuple(next(given, "") for _ in range(games))) for each in met
    )
    return steps.Drawn(seatings=found, resting=tuple(resting), forfeits=_forfeits(competition, results))


def _forfeits(competition: Competition, results: Mapping[Spot, Result]) -> tuple[steps.SetResult, ...]:
    """The results of games that will not be played any more; none in a round robin, where they still can."""
    if competition.system is System.ROUND_ROBIN:
        return ()
    return tuple(
        steps.SetResult(
            round=spot.round, seating=spot.seating, game=spot.game, points=None,
            winners=result.winners, size=result.size,
        )
        for spot, result in results.items()
        if result.points is None and spot not in competition.by_hand
    )  # fmt: skip


def _drawing(competition: Competition, results: Mapping[Spot, Result], present: Sequence[Entrant]) -> Drawing:
    match competition.system:
        case System.ROUND_ROBIN:
            return round_robin(len(competition.entrants), len(competition.rounds))
        case System.SWISS:
            rows = {row.entrant: row for row in standings(competition, results)}
            there = sorted((each.id for each in present), key=lambda each: (-rows[each].score, each))
            met = _meetings(competition)
            rested = Counter(each for drawn in competition.rounds for each in drawn.resting)
            return swiss(
                there,
                lambda each: rows[each].score,
                lambda one, other: met[frozenset((one, other))],
                lambda each: rested[each],
            )
        case System.KNOCKOUT:
            return _knockout(competition, results)
        case System.SEATINGS:
            met = _meetings(competition)
            order = [each.id for each in present]
            return seatings(order, competition.size, lambda one, other: met[frozenset((one, other))]), ()


def _meetings(competition: Competition) -> Counter[frozenset[int]]:
    """The number of times that each pair has met."""
    return Counter(
        frozenset(pair)
        for drawn in competition.rounds
        for seating in drawn.seatings
        for pair in combinations(seating.entrants, 2)
    )


def rounds_planned(competition: Competition) -> int:
    """The number of rounds, as far as is known."""
    count = len(competition.entrants)
    match competition.system:
        case System.ROUND_ROBIN:
            return rounds_of(count, competition.meetings)
        case System.KNOCKOUT:
            return max(count - 1, 0).bit_length()
        case _:
            return competition.planned


def _knockout(competition: Competition, results: Mapping[Spot, Result]) -> Drawing:
    """The next round of a knockout, in order of the lines. Raises RefusalError if a game has no winner."""
    lines: Sequence[int | None] = bracket(len(competition.entrants))
    for number in range(len(competition.rounds)):
        lines = [_onward(competition, results, number, pair) for pair in _pairs(lines)]
    pairs = _pairs(lines)
    met = [(one, other) for one, other in pairs if one is not None and other is not None]
    resting = [each for pair in pairs if None in pair for each in pair if each is not None]
    return met, resting


def _pairs(lines: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    return list(zip(lines[::2], lines[1::2], strict=True))


def _onward(
    competition: Competition,
    results: Mapping[Spot, Result],
    number: int,
    pair: tuple[int | None, int | None],
) -> int | None:
    """The one of two who goes through; None if there is neither.

    If the next round is drawn already, its players count: a later correction does not change the draw.
    """
    if None in pair:
        return next((each for each in pair if each is not None), None)
    if number + 1 < len(competition.rounds):
        later = competition.rounds[number + 1]
        there = {each for seating in later.seatings for each in seating.entrants} | set(later.resting)
        return next((each for each in pair if each in there), None)
    drawn = competition.rounds[number].seatings
    place, seating = next((i, each) for i, each in enumerate(drawn) if set(each.entrants) == set(pair))
    games = [results[Spot(number, place, game)] for game in range(len(seating.tables))]
    rows = duels(games)
    if rows[0][1] == rows[1][0] and any(each.points is not None for each in games):
        raise RefusalError("board/no_winner", names=_names(competition, seating))
    if rows[0][1] == rows[1][0]:
        return None
    return seating.entrants[0 if rows[0][1] > rows[1][0] else 1]


def _names(competition: Competition, seating: Seating) -> tuple[str, ...]:
    return tuple(competition.entrant(each).name for each in seating.entrants)


def allowed(competition: Competition | None, step: steps.Step) -> None:
    """Whether a step can be taken now. Raises RefusalError that says why not."""
    if isinstance(step, steps.Open):
        return
    if competition is None and isinstance(step, steps.UndoStep):
        raise RefusalError("board/nothing_to_undo")
    if competition is None:
        raise RefusalError("board/none_open")
    match step:
        case steps.Enter():
            _enters(competition, step)
        case steps.Shuffle():
            _shuffles(competition, step)
        case steps.Attend():
            if step.entrant >= len(competition.entrants):
                raise RefusalError("board/unknown_entrant")
        case steps.AtSpot():
            _at_spot(competition, step)
            if (
                isinstance(step, steps.TakeResult)
                and (step.station, step.number) in competition.taken.values()
            ):
                raise RefusalError("board/already_taken")


def fits(competition: Competition, step: steps.TakeResult, found: Sequence[Report]) -> None:
    """Check that a reported game can be the one at that spot. Raises RefusalError with the reason."""
    seating = competition.seating(Spot(step.round, step.seating, step.game))
    if not found or seating is None:
        raise RefusalError("board/no_report")
    if len(found[0].scores) != len(seating.entrants):
        raise RefusalError("board/wrong_count", count=len(seating.entrants))


def _enters(competition: Competition, step: steps.Enter) -> None:
    if competition.rounds and competition.system in {System.ROUND_ROBIN, System.KNOCKOUT}:
        raise RefusalError("board/begun")
    if len(competition.entrants) >= steps.ENTRANTS_MAX:
        raise RefusalError("board/too_many", count=steps.ENTRANTS_MAX)
    known = {folded(name) for each in competition.entrants for name in (each.name, *each.members)}
    mine = [folded(name) for name in (step.name, *step.members)]
    taken = [name for name in (step.name, *step.members) if folded(name) in known]
    if taken or len(set(mine)) < len(mine):
        raise RefusalError("board/name_taken", name=taken[0] if taken else step.name)
    if competition.entrants and len(competition.entrants[0].members) != len(step.members):
        raise RefusalError("board/other_size", count=len(competition.entrants[0].members))
    if step.members and competition.system is System.SEATINGS:
        raise RefusalError("board/no_teams")
    for name in step.members or (step.name,):
        clean_name(name)  # they sit down by it: one that no table takes brings no result


def _shuffles(competition: Competition, step: steps.Shuffle) -> None:
    if competition.rounds:
        raise RefusalError("board/begun")
    if sorted(step.order) != list(range(len(competition.entrants))):
        raise RefusalError("board/unknown_entrant")


def _at_spot(competition: Competition, step: steps.AtSpot) -> None:
    seating = competition.seating(Spot(step.round, step.seating, step.game))
    if seating is None:
        raise RefusalError("board/no_such_game")
    if isinstance(step, steps.SetResult):
        size = len(seating.entrants)
        counted = step.size if step.points is None else len(step.points)
        if counted != size or any(each >= size for each in step.winners):
            raise RefusalError("board/wrong_count", count=size)
