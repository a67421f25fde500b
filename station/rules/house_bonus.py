"""A bonus of house rules: its table in the file, and what it is in each column."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from station.rules.reach import reach
from station.rules.ruleset import Bonus, Box, Column, Counts, RuleSet
from station.rules.toml_table import BOXES_MAX, POINTS_MAX, TomlTable


def read_bonus(
    table: TomlTable, *, rules: RuleSet, rows: Mapping[str, Sequence[Box]], columns: Sequence[Column]
) -> list[Bonus]:
    """One bonus, once for every column.

    rows: by the category that the file gives them, the rows of the sheet, which stand in every column;
    `rules` has them in their columns. Raises BadInputError for what cannot be.
    """
    table.only("threshold", "points", "steps", "complete", "par", "each", "each_box", "boxes", "counts")
    every = table.has("boxes") and table.value("boxes") == "all"
    named = _named(table, rows) if table.has("boxes") and not every else ()
    members = [
        row
        for each in rows.values()
        for row in each
        if every or (row.category in named if named else row.section == "upper")
    ]
    factors = [column.factor for column in columns] or [1]
    one = _in_one_column(table, rules, members, sum(factors) if every else 1)
    if table.has("counts"):
        one = replace(one, counts=Counts(table.one_of("counts", *Counts)))
    if every:
        par = tuple(par * factor for factor in factors for par in one.par)
        return [replace(one, boxes=rules.categories, par=par)]
    if not columns:
        return [replace(one, boxes=named)]
    return [
        replace(
            one,
            boxes=tuple(f"{column.id}-{row.category}" for row in members),
            steps=tuple((least * column.factor, points * column.factor) for least, points in one.steps),
            par=tuple(par * column.factor for par in one.par),
            each_box=one.each_box * column.factor,
        )
        for column in columns
    ]


def _named(table: TomlTable, rows: Mapping[str, Sequence[Box]]) -> tuple[str, ...]:
    """The categories of the boxes that a bonus names."""
    found: list[str] = []
    for name in table.texts("boxes"):
        if name not in rows:
            table.refuse("boxes", "no-such-box", box=name, known=tuple(rows))
        found += [row.category for row in rows[name]]
    return tuple(found)


def _in_one_column(table: TomlTable, rules: RuleSet, members: list[Box], times: int) -> Bonus:
    """A bonus as it is for one column, whose boxes `members` are. times: how often they count together."""
    if not members:
        table.refuse(None, "bonus-for-nothing")
    if table.has("par"):
        par = table.numbers("par", 0, POINTS_MAX, BOXES_MAX)
        if len(par) != len(members):
            table.refuse("par", "par", count=len(members))
        return Bonus(par=par, each=table.whole("each", -100, 100) if table.has("each") else 1)
    most_of = [max(reach(box, rules.group, rules.throws)[1], 0) for box in members]
    if table.has("each_box"):
        if not any(most_of):
            table.judge("each_box", "bonus-never", box=members[0].label)
        return Bonus(each_box=table.whole("each_box", -POINTS_MAX, POINTS_MAX))
    if table.flag("complete"):
        if 0 in most_of:
            table.judge("complete", "bonus-never", box=members[most_of.index(0)].label)
        return Bonus(((1, table.whole("points", -POINTS_MAX, POINTS_MAX)),), complete=True)
    most = times * sum(most_of)
    if table.has("steps"):
        key, steps = "steps", table.pairs("steps")
    else:
        key, threshold = "threshold", table.whole("threshold", 1, 10 * POINTS_MAX)
        steps = ((threshold, table.whole("points", 1, POINTS_MAX)),)
    if steps[0][0] > most:
        table.judge(key, "out-of-reach", threshold=steps[0][0], most=most)
    return Bonus(steps)
