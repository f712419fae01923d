"""Reads wiring.toml and bom.toml and refuses data that contradict themselves.

Everything that is generated, and the tests, go through `load` and `load_bom`,
so a wrong pin is found before it is drawn, soldered or flashed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
WIRING_TOML = HERE / "wiring.toml"
BOM_TOML = HERE / "bom.toml"

# RP2040 (and RP2350): I2C0 has SDA on GPIO 0, 4, 8, ... and SCL on the next
# one; I2C1 has SDA on GPIO 2, 6, 10, ...
I2C_FIRST_SDA = {0: 0, 1: 2}
# On the Pico GPIO 23, 24, 25 and 29 are used on the board itself.
GPIO_ON_PINS = frozenset(range(23)) | {26, 27, 28}


class WiringError(ValueError):
    """wiring.toml or bom.toml contradicts itself or the Pico."""


@dataclass(frozen=True)
class Part:
    """One part of the box; `pins` are the names printed on it."""

    ref: str
    kind: str
    bom: str
    name: str
    pins: tuple[str, ...] = ()
    key: str = ""
    seat: str = ""
    optional: bool = False


@dataclass(frozen=True)
class Net:
    """What is joined by one colour of wire: `nodes` are (reference, pin)."""

    name: str
    colour: str
    colour_name: str
    nodes: tuple[tuple[str, str], ...]
    pin: str = ""
    key: str = ""

    def board_pins(self, ref: str = "U1") -> list[int]:
        """Physical numbers of the board's pins on this net, as written."""
        return [int(pin) for part, pin in self.nodes if part == ref]


@dataclass(frozen=True)
class Keyboard:
    """Keys and screws on the perfboard, in holes from the centre of OK."""

    pitch_mm: float
    columns: int
    rows: int
    board_mm: tuple[float, float]
    first_column: float
    first_row: float
    pin_span: tuple[int, int]
    screws: tuple[tuple[float, float], ...]
    keys: dict[str, tuple[float, float]]

    def key_mm(self, key: str) -> tuple[float, float]:
        """Centre of a key in mm from the centre of OK, y away from the scorekeeper."""
        x, y = self.keys[key]
        return x * self.pitch_mm, y * self.pitch_mm

    def screws_mm(self) -> list[tuple[float, float]]:
        """Holes for the screws in mm from the centre of OK."""
        return [(x * self.pitch_mm, y * self.pitch_mm) for x, y in self.screws]

    def board_centre_mm(self) -> tuple[float, float]:
        """Middle of the perfboard in mm from the centre of OK."""
        return (
            (self.first_column + (self.columns - 1) / 2) * self.pitch_mm,
            (self.first_row + (self.rows - 1) / 2) * self.pitch_mm,
        )

    def pads(self, key: str) -> list[tuple[float, float]]:
        """The four holes of a key, in holes from OK."""
        x, y = self.keys[key]
        dx, dy = self.pin_span[0] / 2, self.pin_span[1] / 2
        return [(x - dx, y + dy), (x + dx, y + dy), (x - dx, y - dy), (x + dx, y - dy)]


@dataclass(frozen=True)
class Wiring:
    """The whole of wiring.toml, checked."""

    board_ref: str
    board_name: str
    board_pins: tuple[str, ...]
    i2c: dict
    keys: dict
    buzzer_net: str
    parts: dict[str, Part]
    nets: dict[str, Net]
    keyboard: Keyboard
    key_parts: dict[str, Part] = field(default_factory=dict)

    def gpio(self, net_name: str) -> int:
        """GPIO number of a net, for the firmware."""
        number = self.nets[net_name].board_pins(self.board_ref)[0]
        return gpio_number(self.board_pins[number - 1])

    def key_net(self, key: str) -> Net:
        """The net of a key by the key's name."""
        return next(net for net in self.nets.values() if net.key == key)


def gpio_number(pin_name: str) -> int:
    """'GP14' -> 14; raises WiringError for a pin that is not a GPIO."""
    if not pin_name.startswith("GP") or not pin_name[2:].isdigit():
        raise WiringError(f"{pin_name} is not a GPIO")
    number = int(pin_name[2:])
    if number not in GPIO_ON_PINS:
        raise WiringError(f"{pin_name} is not led out on the Pico")
    return number


def _node(text: str) -> tuple[str, str]:
    ref, _, pin = text.partition(".")
    if not pin:
        raise WiringError(f"node {text!r} is not reference.pin")
    return ref, pin


def load(path: Path = WIRING_TOML) -> Wiring:
    """wiring.toml, checked; raises WiringError with one line that says what is wrong."""
    with open(path, "rb") as file:
        return parse(tomllib.load(file))


def parse(data: dict) -> Wiring:
    """The same for data already read; a test changes them to see errors found."""
    parts = {}
    for entry in data["part"]:
        entry = dict(entry, pins=tuple(entry.get("pins", ())))
        if entry["ref"] in parts:
            raise WiringError(f"reference {entry['ref']} is there twice")
        parts[entry["ref"]] = Part(**entry)
    nets = {}
    for entry in data["net"]:
        entry = dict(entry, nodes=tuple(_node(text) for text in entry["nodes"]))
        if entry["name"] in nets:
            raise WiringError(f"net {entry['name']} is there twice")
        nets[entry["name"]] = Net(**entry)
    board = data["keyboard"]
    keyboard = Keyboard(
        **{
            **board,
            "board_mm": tuple(board["board_mm"]),
            "pin_span": tuple(board["pin_span"]),
            "screws": tuple(tuple(at) for at in board["screws"]),
            "keys": {key: tuple(at) for key, at in board["keys"].items()},
        }
    )
    wiring = Wiring(
        board_ref=data["board"]["ref"],
        board_name=data["board"]["name"],
        board_pins=tuple(data["board"]["pins"]),
        i2c=data["i2c"],
        keys=data["keys"],
        buzzer_net=data["buzzer"]["net"],
        parts=parts,
        nets=nets,
        keyboard=keyboard,
        key_parts={part.key: part for part in parts.values() if part.key},
    )
    _check(wiring)
    return wiring


def _check(wiring: Wiring) -> None:
    if len(wiring.board_pins) != 40:
        raise WiringError("a Pico has 40 pins")
    seen: dict[tuple[str, str], str] = {}
    for net in wiring.nets.values():
        for node in net.nodes:
            _check_node(wiring, net, node)
            if node in seen:
                raise WiringError(f"{node[0]}.{node[1]} is on {seen[node]} and on {net.name}")
            seen[node] = net.name
    for part in wiring.parts.values():
        for pin in part.pins:
            if (part.ref, pin) not in seen:
                raise WiringError(f"{part.ref}.{pin} is not connected")
    order = wiring.keys["order"]
    if sorted(order) != sorted(wiring.key_parts) or sorted(order) != sorted(wiring.keyboard.keys):
        raise WiringError("[keys], the parts and [keyboard.keys] name different keys")
    for key in order:
        net = wiring.key_net(key)
        if net.nodes[1][0] != wiring.key_parts[key].ref:
            raise WiringError(f"net {net.name} does not lead to the key {key}")
    sda, scl = wiring.gpio(wiring.i2c["sda"]), wiring.gpio(wiring.i2c["scl"])
    first = I2C_FIRST_SDA[wiring.i2c["id"]]
    if sda % 4 != first or scl % 4 != first + 1:
        raise WiringError(f"I2C{wiring.i2c['id']} cannot use GP{sda} and GP{scl}")
    gpio_number(f"GP{wiring.gpio(wiring.buzzer_net)}")
    _check_keyboard(wiring.keyboard)


def _check_node(wiring: Wiring, net: Net, node: tuple[str, str]) -> None:
    ref, pin = node
    if ref not in wiring.parts:
        raise WiringError(f"net {net.name}: no part {ref}")
    if ref != wiring.board_ref:
        if pin not in wiring.parts[ref].pins:
            raise WiringError(f"net {net.name}: {ref} has no pin {pin}")
        return
    if not pin.isdigit() or not 1 <= int(pin) <= 40:
        raise WiringError(f"net {net.name}: the board has no pin {pin}")
    name = wiring.board_pins[int(pin) - 1]
    if name != net.pin:
        raise WiringError(f"net {net.name}: pin {pin} is {name}, not {net.pin or 'named'}")


def _check_keyboard(keyboard: Keyboard) -> None:
    used: set[tuple[float, float]] = set()
    wanted = [pad for key in keyboard.keys for pad in keyboard.pads(key)] + list(keyboard.screws)
    for x, y in wanted:
        column, row = x - keyboard.first_column, y - keyboard.first_row
        if column % 1 or row % 1:
            raise WiringError(f"({x}, {y}) lies between the holes of the perfboard")
        if not (0 <= column < keyboard.columns and 0 <= row < keyboard.rows):
            raise WiringError(f"({x}, {y}) lies beside the perfboard")
        if (x, y) in used:
            raise WiringError(f"({x}, {y}) is used twice on the perfboard")
        used.add((x, y))


@dataclass(frozen=True)
class Item:
    """One line of the bill of materials; `price` is (low, high) for one unit."""

    id: str
    name: str
    quantity: int
    unit: str
    price: tuple[float, float]
    need: str
    alternatives: str


@dataclass(frozen=True)
class Bom:
    """bom.toml, checked; `refs` of an item come from the wiring."""

    currency: str
    written: str
    items: tuple[Item, ...]

    def total(self, needs: tuple[str, ...]) -> tuple[float, float]:
        """Lowest and highest sum of the items of these needs."""
        chosen = [item for item in self.items if item.need in needs]
        return (
            sum(item.quantity * item.price[0] for item in chosen),
            sum(item.quantity * item.price[1] for item in chosen),
        )


NEEDS = ("yes", "case", "option", "battery")


def load_bom(wiring: Wiring, path: Path = BOM_TOML) -> Bom:
    """bom.toml; raises WiringError when it does not buy what the wiring uses."""
    with open(path, "rb") as file:
        return parse_bom(wiring, tomllib.load(file))


def parse_bom(wiring: Wiring, data: dict) -> Bom:
    """The same for data already read."""
    items = [Item(**dict(entry, price=tuple(entry["price"]))) for entry in data["item"]]
    by_id = {item.id: item for item in items}
    if len(by_id) != len(items):
        raise WiringError("an id is twice in bom.toml")
    for item in items:
        if item.need not in NEEDS or not 0 < item.price[0] <= item.price[1]:
            raise WiringError(f"bom.toml: {item.id} has a wrong need or price")
        refs = refs_of(wiring, item.id)
        if refs and len(refs) != item.quantity:
            raise WiringError(f"bom.toml: {item.quantity} of {item.id}, but {len(refs)} are wired")
    for part in wiring.parts.values():
        if part.bom not in by_id:
            raise WiringError(f"bom.toml does not buy {part.ref} ({part.bom})")
        if part.optional != (by_id[part.bom].need in ("option", "battery")):
            raise WiringError(f"{part.ref} is optional in one of wiring.toml and bom.toml only")
    return Bom(data["currency"], data["written"], tuple(items))


def refs_of(wiring: Wiring, bom_id: str) -> list[str]:
    """References of the parts that one line of the BOM buys."""
    return [part.ref for part in wiring.parts.values() if part.bom == bom_id]
