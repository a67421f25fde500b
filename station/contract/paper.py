"""The layout of a score sheet on paper."""

from dataclasses import dataclass

from messages.message import Message


@dataclass(frozen=True, slots=True)
class Layout:
    """columns: those of an empty sheet; lengths mm, letters pt.

    row_mm: of a row where there is room; least_mm: where there is less a sheet goes on on the next page.
    heads: what the rows above the boxes of an empty sheet are called; none for one row without a name.
    """

    columns: int
    row_mm: float = 9.0
    least_mm: float = 0.0
    label_mm: float = 52.0
    column_mm: float = 32.0
    size_pt: float = 11.0
    landscape: bool = False
    heads: tuple[Message, ...] = ()
