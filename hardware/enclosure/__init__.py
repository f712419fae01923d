"""The printed case: a parametric model, its files and its pictures."""
