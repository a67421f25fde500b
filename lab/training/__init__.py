"""How the networks of vision/models/ are drawn for, trained, exported and measured (see README.md)."""
