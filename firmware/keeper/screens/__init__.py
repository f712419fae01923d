"""The screens. Each draws itself, answers the keys, and knows no game."""
