"""The games there are: id to module, imported only when asked for.

The box has one game in memory at a time; its board forgets the module of the game before.
"""

GAMES = ("seep", "smear", "euchre", "ten")


def load(game):
    """Return the Rules class of a game id; raises KeyError for an unknown one."""
    if game not in GAMES:
        raise KeyError(game)
    name = "shared_rules.games." + game
    module = __import__(name, None, None, ("",))  # without a last argument it would be the package
    return module.Game

