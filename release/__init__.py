"""How a version is made: its notes, wheel, list of parts, and the site of its documents."""
