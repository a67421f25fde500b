"""The workshop: what no station needs to run, to be tested or to be built. It may import everything else."""
