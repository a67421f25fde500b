"""Ways of playing and aids that stand beside the game, each in a folder of its own (`listed`)."""
