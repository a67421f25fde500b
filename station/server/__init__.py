"""The server: the port it listens on, https, and notifications to systemd."""
