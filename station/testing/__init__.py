"""For tests and benchmarks, ours and those of an extra: a real station as a process of its own."""
