"""What the station is asked and what it answers: commands and the view of the state."""
