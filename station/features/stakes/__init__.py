"""Games that are played for something."""

WORDS = (
    r"\bstakes?",
    r"\bSTAKES?",
    r"\b_?settlement",
    r"\b[Pp]ayments?\b",
)
