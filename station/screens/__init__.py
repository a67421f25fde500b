"""The screens in the room: who sits where, who is host, and how news reaches all of them."""
