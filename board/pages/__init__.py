"""The board: many tables on one screen and on every phone, and the club's evening."""
