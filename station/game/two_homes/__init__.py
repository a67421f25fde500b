"""One game in two homes: who does what on which side, throws that nobody can choose, and the last one."""
