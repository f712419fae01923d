"""The rules of the games, the session and the records: one copy for the laptop and the board."""
