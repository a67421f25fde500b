"""Several people with one sheet."""
