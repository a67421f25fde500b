"""All play at once: five dice are thrown for everybody, and every player has a copy of the throw.

In notation `play together` says so at the start; then seats do things with their copies: `copy 1 2 4` keeps
slots 2 and 4, `pick 1 choice`, `ready 1`, `unready 1`.
"""

WORDS = (
    "simultaneous",
    "SIMULTANEOUS",
    "all_at_once",
    "AllAtOnce",
    "copy_held",
    "CopyHeld",
    "PlayerReady",
    "PlayerUnready",
    "unready",
    "choose_player",
    "ChoosePlayer",
    "BoxChosen",
    "box_chosen",
)
