"""Camera adapters: each one implements `vision.frame.Camera`; `factory` chooses."""
