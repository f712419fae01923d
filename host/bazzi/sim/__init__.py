"""The box without a box: the same application on the laptop, in MicroPython, or on an emulated board."""
