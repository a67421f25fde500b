"""A second look: a detector finds dice, a face network reads them. Asked of what the reader leaves open."""
