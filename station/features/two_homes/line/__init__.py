"""The line between two homes: what their stations tell each other over the broker."""
