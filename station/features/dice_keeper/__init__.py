"""The dice keeper: a part of the tray where a die that is laid there is held."""
