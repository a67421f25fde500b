"""One game in two homes."""
