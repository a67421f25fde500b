"""Backward: what every throw, hold, box and sheet is worth under best play, exactly or in parts."""
