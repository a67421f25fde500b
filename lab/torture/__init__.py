"""What can happen to a station, done to it."""
