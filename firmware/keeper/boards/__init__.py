"""Where the application meets a board: pico.py on the Pico, unix.py for MicroPython on Linux."""
