"""Two boxes a turn, and more dice than there are hold buttons."""

WORDS = (
    "boxes_per_turn",
    "boxes_this_turn",
    "two_boxes",
    r"\bbanks?\b",
)
