"""The station itself: setup, health, copies of the games, the problem bundle."""
