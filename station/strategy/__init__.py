"""Exact advice: values of every hold and box, odds of winning, luck and skill. Pure, numpy."""
