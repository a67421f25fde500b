"""The news of a step, on screens and aloud."""

WORDS = (r"(?i:\bnews)",)
