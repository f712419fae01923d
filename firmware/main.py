"""Starts the box. MicroPython runs this file at power-up; all it does is in keeper/boards/runner.py.

BACK held at power-up: the application is not started, and the prompt is free.
"""

from keeper.boards import pico, runner

runner.run(pico.Board())
