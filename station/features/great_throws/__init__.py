"""Great throws: screens cheer, and show the film of the throw again."""

WORDS = (r"(?i:\bgreat)",)
