"""The game itself, pure: what happened (events), how things stand (state), what may happen (decide).

No clock, no thread, no file and no picture is known here. `station.table` owns one game, feeds it the
commands of people and what the camera reads, and writes every event down before anyone hears of it.
"""
