"""`make torture`: what can happen to a station, done to it, and what came of it."""
