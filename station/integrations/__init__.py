"""Who else in the house is told of the table: a broker, so far. Nothing in the game knows of it."""
