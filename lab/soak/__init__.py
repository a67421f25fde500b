"""The table and the station, for long."""
