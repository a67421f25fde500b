"""Who wins: how the points still to come are spread, the chance to win, and playing for it."""
