"""Yacht Station: the table, its rules, its advice and its devices."""
