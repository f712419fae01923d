"""One module a game; shared_rules.catalog loads them by id."""
