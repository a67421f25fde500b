"""Players who begin with points."""

WORDS = ("(?i:handicap)",)
