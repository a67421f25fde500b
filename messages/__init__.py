"""The ground floor: what is told to people, as keys with values, and the errors that carry it."""
