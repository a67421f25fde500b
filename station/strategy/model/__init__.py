"""A rule set as arrays: its dice, its score sheets, and what of a sheet still matters."""
