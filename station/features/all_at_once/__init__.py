"""All play at once: five dice are thrown for everybody, and every player has a copy of the throw."""
