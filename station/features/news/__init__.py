"""What is said of a step, on screens and aloud."""
