"""The dice that lie in the tray: what the camera offers, what people said about it, whose throw it is."""
