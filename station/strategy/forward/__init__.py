"""Forward: where best play ends how often, in one turn, in many and in whole games."""
