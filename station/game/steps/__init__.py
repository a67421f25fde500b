"""What can happen in a game: one file for each kind of step.

A file has the command that asks for it, when that is on offer and what comes of it; the event, what it does
to the state, how it is written as JSON and as a line of notation, and what undo says of it. What lists the
events is derived in `station.game.events`; what lists the commands, in `station.contract.commands`.
"""
