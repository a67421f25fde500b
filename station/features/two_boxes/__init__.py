"""Two boxes a turn, and more dice than there are hold buttons."""
