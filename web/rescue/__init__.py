"""Rescue mode: what to do when games cannot be stored."""
