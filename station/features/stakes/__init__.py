"""Games that are played for something."""
