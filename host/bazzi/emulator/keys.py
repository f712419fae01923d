"""The keys of the emulated board: switches from a pin to ground, with bounce."""

from __future__ import annotations

from typing import Any


class Key:
    """One key, active low. An open key leaves the pin to the firmware's pull-up."""

    def __init__(self, mcu: Any, gpio: int, name: str) -> None:
        self._mcu, self._pin = mcu, mcu.gpio[gpio]
        self.gpio, self.name = gpio, name
        self._closed = False
        self._plan: list[Any] = []
        self._pin.release_input()

    @property
    def closed(self) -> bool:
        """Whether the contact is closed at this moment (it may be bouncing)."""
        return self._closed

    def press(self, bounces: int = 0, over_ns: int = 1_000_000) -> None:
        """Close the contact now. It opens and closes `bounces` more times within `over_ns`."""
        self._change(True, bounces, over_ns)

    def release(self, bounces: int = 0, over_ns: int = 1_000_000) -> None:
        """Open the contact now. It closes and opens `bounces` more times within `over_ns`."""
        self._change(False, bounces, over_ns)

    def _change(self, closed: bool, bounces: int, over_ns: int) -> None:
        for alarm in self._plan:
            alarm.cancel()
        self._plan.clear()
        self._set(closed)
        level = closed
        for edge in range(1, 2 * bounces + 1):
            level = not level
            alarm = self._mcu.clock.create_alarm(lambda level=level: self._set(level))
            alarm.schedule(over_ns * edge / (2 * bounces))
            self._plan.append(alarm)

    def _set(self, closed: bool) -> None:
        if closed == self._closed:
            return  # rp2040py would report an edge that is none
        self._closed = closed
        if closed:
            self._pin.set_input_value(False)
        else:
            self._pin.release_input()
