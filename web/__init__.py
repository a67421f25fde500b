"""The pages and the HTTP API: everything a screen in the room sees or a program may ask.

The room in three sentences: it never decides anything about the game, it hands commands to the table and
shows what the table publishes. It opens no file but its own small settings, and no socket; the server is
the composition root's. What it serves comes from this package alone, so that no request leaves the house.
"""
