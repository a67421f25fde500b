"""Players who begin with points."""
