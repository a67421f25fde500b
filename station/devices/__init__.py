"""Buttons, lamps and what else hangs on the station: ports, real adapters and equal simulated ones."""
