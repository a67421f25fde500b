"""Who else in the house is told of the table: a broker, addresses, lamps. Nothing in the game knows of it."""
