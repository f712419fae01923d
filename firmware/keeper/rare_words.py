"""The words of a game that no step of a match shows: of its options, of the table of deals, of aids.

On a board they are not among the game's other words but in a module of their own (host/bazzi/bundle.py), and
boards/rare_words.py stands in the place of this module.
"""


def rare_words(words, game, board):
    """Return a part's words together with the rare ones of a game, text id -> text. May allocate."""
    return words  # the game has the others itself
