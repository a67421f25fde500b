"""Who else in the house follows the table: a broker, addresses, lamps. Nothing in the game knows of it."""
