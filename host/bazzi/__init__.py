"""The laptop side of Bazzi: install, sync, archive, show and export, and the box in the terminal."""

__version__ = "0.1.0"
