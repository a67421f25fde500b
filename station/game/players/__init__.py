"""Who plays: names, seats, who starts, computer players, and what is played for."""
