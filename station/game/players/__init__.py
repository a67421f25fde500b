"""Players: names, seats, and who starts."""
