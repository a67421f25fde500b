"""Benchmarks of the workshop: what a change of the reader, the board or the pages does."""
