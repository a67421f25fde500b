"""Boxes that are announced after the first throw of a turn."""

WORDS = (
    "announce_box",
    "announced_box",
    "may_announce",
    "BoxAnnounced",
    r"\bannounce\b",
    r"\bannouncing\b",
)
