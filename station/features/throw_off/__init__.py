"""Throwing for who starts: each throws one die, the best starts, equal ones throw again."""
