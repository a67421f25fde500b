"""Integrations that follow the table: a broker, addresses, lamps. Nothing in the game depends on them."""
