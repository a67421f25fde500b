"""How the station is reached: the port it listens on, https, and what systemd is told."""
