"""Several people with one sheet."""

WORDS = (r"(?i:\bteams?\b)",)
