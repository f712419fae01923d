"""wiring.toml and bom.toml: right for the Pico, refused when wrong, the same everywhere."""

import copy
import re
import runpy
import tomllib

import pytest

from hardware import wiring as hw
from hardware.wiring import HERE, WiringError, load, load_bom

ROOT = HERE.parent

# The Pico's pin list again, written down apart from wiring.toml: physical pin of each GPIO.
PHYSICAL = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17,
    14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
GROUNDS = {3, 8, 13, 18, 23, 28, 33, 38}


@pytest.fixture(scope="module")
def wiring():
    return load()


def raw(path=hw.WIRING_TOML):
    with open(path, "rb") as file:
        return tomllib.load(file)


def test_physical_pins_are_those_of_a_pico(wiring):
    names = wiring.board_pins
    assert {n: names.index(f"GP{n}") + 1 for n in PHYSICAL} == PHYSICAL
    assert {i + 1 for i, name in enumerate(names) if name in ("GND", "AGND")} == GROUNDS
    assert [names[i - 1] for i in (30, 35, 36, 37, 39, 40)] == [
        "RUN", "ADC_VREF", "3V3(OUT)", "3V3_EN", "VSYS", "VBUS",
    ]  # fmt: skip
    assert len(names) == len(PHYSICAL) + len(GROUNDS) + 6 == 40


def test_pins_are_the_agreed_ones(wiring):
    keys = {key: wiring.gpio(wiring.key_net(key).name) for key in wiring.keys["order"]}
    assert list(keys.items()) == [
        ("UP", 10), ("RIGHT", 11), ("DOWN", 12), ("LEFT", 13), ("OK", 14), ("BACK", 15),
    ]  # fmt: skip
    assert (wiring.gpio("SDA"), wiring.gpio("SCL"), wiring.gpio("BUZZER")) == (4, 5, 16)
    assert (wiring.i2c["id"], wiring.i2c["frequency_hz"]) == (0, 400_000)
    assert wiring.keys["active_low"] and wiring.keys["pull_up"]


def test_no_pin_is_used_twice_and_supplies_go_where_they_must(wiring):
    used = [node for net in wiring.nets.values() for node in net.nodes]
    assert len(used) == len(set(used))
    assert wiring.nets["3V3"].board_pins() == [36]
    assert wiring.nets["VSYS"].board_pins() == [39]
    assert set(wiring.nets["GND"].board_pins()) <= GROUNDS - {33}
    # 5 V reaches nothing: VBUS (pin 40) is not on any net
    assert not any(
        pin == "40" for net in wiring.nets.values() for ref, pin in net.nodes if ref == "U1"
    )


def test_every_key_joins_its_gpio_to_ground_only(wiring):
    for key, part in wiring.key_parts.items():
        assert (part.ref, "1") in wiring.key_net(key).nodes
        assert (part.ref, "2") in wiring.nets["GND"].nodes


def test_battery_reaches_vsys_only_through_switch_and_diode(wiring):
    assert set(wiring.nets["BAT"].nodes) == {("BT1", "+"), ("S1", "1")}
    assert set(wiring.nets["BAT_SWITCHED"].nodes) == {("S1", "2"), ("D1", "A")}
    assert set(wiring.nets["VSYS"].nodes) == {("D1", "K"), ("U1", "39")}


def _node(data, net, old, new):
    nodes = next(n for n in data["net"] if n["name"] == net)["nodes"]
    nodes[nodes.index(old)] = new


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda d: _node(d, "SDA", "U1.6", "U1.7"), "pin 7 is GP5, not GP4"),
        (lambda d: _node(d, "SDA", "U1.6", "U1.41"), "no pin 41"),
        (lambda d: _node(d, "GND", "SW1.2", "SW1.1"), "SW1.1 is on"),
        (lambda d: _node(d, "GND", "DS1.GND", "DS1.GNX"), "no pin GNX"),
        (lambda d: _node(d, "GND", "DS1.GND", "DS9.GND"), "no part DS9"),
        (lambda d: d["i2c"].update(id=1), "I2C1 cannot use GP4 and GP5"),
        (lambda d: d["i2c"].update(sda="SCL", scl="SDA"), "I2C0 cannot use GP5 and GP4"),
        (lambda d: d["net"].pop(0), "DS1.SDA is not connected"),
        (lambda d: d["keys"]["order"].remove("OK"), "different keys"),
        (lambda d: d["keyboard"]["keys"].update(OK=[0, 0.5]), "between the holes"),
        (lambda d: d["keyboard"]["keys"].update(BACK=[15, -8]), "beside the perfboard"),
        (lambda d: d["keyboard"]["screws"].append([2.5, 1]), "used twice"),
        (lambda d: d["part"].append(d["part"][0]), "U1 is there twice"),
    ],
)
def test_wrong_wiring_is_refused_with_one_line(change, complaint):
    data = copy.deepcopy(raw())
    change(data)
    with pytest.raises(WiringError, match=re.escape(complaint)) as error:
        hw.parse(data)
    assert "\n" not in str(error.value)


def test_bom_buys_every_part_of_the_wiring(wiring):
    bom = load_bom(wiring)
    bought = {ref for item in bom.items for ref in hw.refs_of(wiring, item.id)}
    assert bought == set(wiring.parts)
    low, high = bom.total(("yes", "case"))
    assert 10 < low < high < 80


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda d: d["item"].pop(0), "does not buy U1"),
        (lambda d: d["item"][2].update(quantity=5), "5 of key, but 6 are wired"),
        (lambda d: d["item"][0].update(price=[5, 4]), "wrong need or price"),
        (lambda d: d["item"][1].update(need="option"), "optional in one"),
        (lambda d: d["item"].append(d["item"][0]), "twice"),
    ],
)
def test_wrong_bom_is_refused(wiring, change, complaint):
    data = copy.deepcopy(raw(hw.BOM_TOML))
    change(data)
    with pytest.raises(WiringError, match=re.escape(complaint)):
        hw.parse_bom(wiring, data)


# ------------------------------------------------------------------ the same everywhere
def test_firmware_has_the_pins_of_the_wiring(wiring):
    pins = runpy.run_path(str(ROOT / "firmware" / "keeper" / "boards" / "pins.py"))
    order = wiring.keys["order"]
    assert pins["KEY_PINS"] == tuple(wiring.gpio(wiring.key_net(key).name) for key in order)
    assert all(
        pins[f"KEY_{key}"] == gpio for key, gpio in zip(order, pins["KEY_PINS"], strict=True)
    )
    assert (pins["I2C_ID"], pins["I2C_SDA"], pins["I2C_SCL"], pins["I2C_HZ"]) == (0, 4, 5, 400_000)
    assert pins["OLED_ADDRESSES"] == (0x3C, 0x3D)
    assert pins["BUZZER"] == 16


def test_key_bits_of_the_firmware_are_in_the_order_of_the_wiring(wiring):
    keys_py = ROOT / "firmware" / "keeper" / "keys.py"
    if not keys_py.exists():
        pytest.skip("no firmware here")
    source = keys_py.read_text(encoding="utf-8")
    for bit, key in enumerate(wiring.keys["order"]):
        assert re.search(rf"^{key} = (const\()?{bit}\b", source, re.MULTILINE), key


def test_emulated_board_is_wired_the_same(wiring):
    board = pytest.importorskip("bazzi.emulator.board")
    pins = board.Pins()
    expected = {key: wiring.gpio(wiring.key_net(key).name) for key in wiring.keys["order"]}
    assert {name.upper(): gpio for name, gpio in pins.keys.items()} == expected
    assert (pins.sda, pins.scl, pins.buzzer) == (4, 5, 16)
