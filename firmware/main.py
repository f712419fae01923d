"""Starts the box. MicroPython compiles this at every power-up, so it is short.

BACK held at power-up is the safe mode: the application is not even loaded, and the prompt is free.
However it ends, OK then starts the box anew.
"""

from keeper.boards import pico

board = pico.Board()
try:
    if board.safe():
        board.say(pico.SAFE, 2000)
    else:
        board.say(pico.HELLO)
        from keeper.boards import runner

        runner.run(board)
except Exception:
    board.say(pico.BROKEN)
    raise
finally:
    board.stop()
