"""The dice keeper: a part of the tray where a die that is laid there is held."""

WORDS = (
    "(?i:(?<!score)keeper(?!s))",
    "lay_die",
    "LayDie",
    r"\bLAID\b",
)
