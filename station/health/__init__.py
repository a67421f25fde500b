"""Whether the station is well, and what to do about it if not."""
