"""What dice are worth, the best thing to do with them, and why: the answers to such questions."""
