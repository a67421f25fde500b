"""What happened (events), and how things stand after it: a state, its players, turns and rounds."""
