"""What is in the place of keeper.rare_words on a board: the rare words of a game are a module of their own there."""


def rare_words(words, game, board):
    """See keeper.rare_words."""
    name = "shared_rules.games." + game + "_rare"
    both = dict(words)
    both.update(__import__(name, None, None, ("",)).EN)
    board.forget(name)
    return both
