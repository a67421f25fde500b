"""From candidates to dice: the evidence weighed together, neighbours, how each die lies."""
