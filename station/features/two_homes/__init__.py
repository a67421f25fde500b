"""One game in two homes."""

WORDS = (
    r"(?i:(?<!\.)\bhomes?\b)",
    r"\bHome[A-Z]",
    r"\bMirror[A-Z]",
    "fair_",
    "other_home",
    "OtherHome",
    "without_tray",
)
