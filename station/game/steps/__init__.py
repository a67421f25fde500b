"""The steps of a game, one file for each kind.

A file has the command, when it is on offer and which events follow; the event, what it does to the state, how
it is written as JSON and as a line of notation, and the words of its undo. The events are listed in
`station.game.events`, the commands in `station.contract.commands`.
"""
