"""How the station is reached: the port it listens on, https, and notifications to systemd."""
