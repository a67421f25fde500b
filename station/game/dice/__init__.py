"""The dice in the tray: what the camera offers, what people corrected, whose throw it is."""
