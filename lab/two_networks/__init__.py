"""The next reader: a detector finds dice, a face network reads them. Only the bench asks it yet."""
