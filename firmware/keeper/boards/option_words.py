"""What is in the place of keeper.option_words on a board: the words are a module of their own there."""


def option_words(game, board):
    """See keeper.option_words."""
    name = "shared_rules.games." + game + "_options"
    words = __import__(name, None, None, ("EN",)).EN
    board.forget(name)
    return words
