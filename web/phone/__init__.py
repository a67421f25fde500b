"""A phone as the camera: the page on it, and what it sends."""
