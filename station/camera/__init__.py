"""The camera of the station: who looks through it, what is known about it, and how it is calibrated."""
