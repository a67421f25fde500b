"""Benchmarks: they print, tests assert."""
