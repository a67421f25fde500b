"""The requests and responses of the station: commands and the view of the state."""
