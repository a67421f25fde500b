"""From pixels to candidates: spots, lattices of pips, the outlines of bodies."""
