"""A newer release, laid beside the program that runs: looked at, unpacked, tried by the next start."""
