"""Events, and the state of the game after them: its players, turns and rounds."""
