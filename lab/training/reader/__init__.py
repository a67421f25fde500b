"""Courses for the next reader: a detector of dice and a network for their faces, taught by real dice.

Nothing of these ships yet. See README.md in this folder.
"""
