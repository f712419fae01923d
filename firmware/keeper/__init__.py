"""The application that runs on the box; the same files run under CPython and MicroPython."""

VERSION = "0.1.0"
