"""Who plays: names, seats, and who starts."""
