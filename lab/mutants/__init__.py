"""Small changes of the code, and whether a type or a test notices them."""
