"""The words of a game's options, which are only looked at when options are.

On a board they are not among the game's other words but in a module of their own (host/bazzi/bundle.py), and
boards/option_words.py stands in the place of this module.
"""

from shared_rules import catalog


def option_words(game, board):
    """Return a dict of text id to words that has those of the options of a game ("o.", "v."). May allocate."""
    return catalog.load(game).EN
