"""Pins of the box.  GENERATED from hardware/wiring.toml by `python -m hardware.generate`: do not edit."""

I2C_ID = 0
I2C_SDA = 4
I2C_SCL = 5
I2C_HZ = 400000
OLED_ADDRESSES = (0x3c, 0x3d)
OLED_WIDTH_PX = 128
OLED_HEIGHT_PX = 64

KEY_UP = 10
KEY_RIGHT = 11
KEY_DOWN = 12
KEY_LEFT = 13
KEY_OK = 14
KEY_BACK = 15

# GPIO of bit 0, 1, ... of the key mask: UP, RIGHT, DOWN, LEFT, OK, BACK
KEY_PINS = (10, 11, 12, 13, 14, 15)
KEY_PRESSED_LEVEL = 0
KEY_PULL_UP = True

BUZZER = 16
