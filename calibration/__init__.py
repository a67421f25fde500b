"""What the station knows about one camera over one tray: the profile and how it is made."""
