"""The table on every screen: the sheet, the television, the state, the live line and the commands."""
