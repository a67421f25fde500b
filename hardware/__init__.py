"""What stands on the shelf: drawings, printed parts, and a Pi that is only simulated."""
