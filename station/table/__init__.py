"""The table: one game, one lock; takes commands, writes events down, tells everyone who listens."""
