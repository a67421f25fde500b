"""From pixels to dice: pure functions of a picture, and the cameras that deliver it."""
