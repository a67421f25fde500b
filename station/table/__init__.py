"""The table: one game, one lock; takes commands, writes events down, tells everyone who listens."""

from station.table.table import Table

__all__ = ["Table"]
