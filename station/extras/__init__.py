"""The extras that come with the station, each in a folder that may be taken away."""
