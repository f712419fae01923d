"""The display models against the data sheets."""

from __future__ import annotations

import random

import pytest
from bazzi.emulator.ssd1306 import HORIZONTAL, PAGE, VERTICAL, Sh1106, Ssd1306

UPRIGHT = b"\x00\x8d\x14\xa1\xc8\xaf"  # charge pump, both mirrors, on


def send(model: Ssd1306, *values: int) -> None:
    """One transaction of commands."""
    model.transfer(bytes([0x00, *values]))


def data(model: Ssd1306, *values: int) -> None:
    """One transaction of display data."""
    model.transfer(bytes([0x40, *values]))


def upright(model: Ssd1306 | None = None) -> Ssd1306:
    model = Ssd1306() if model is None else model
    model.transfer(UPRIGHT)
    return model


def lit(model: Ssd1306) -> set[tuple[int, int]]:
    """The lit pixels as (x, y), from the top left."""
    return {(x, y) for y, row in enumerate(model.visible()) for x, on in enumerate(row) if on}


# -- I2C control bytes ---------------------------------------------------------------


def test_control_byte_00_makes_all_that_follows_commands() -> None:
    model = Ssd1306()
    model.transfer(b"\x00\x81\x40\xa7\xaf")
    assert (model.contrast, model.inverted, model.on) == (0x40, True, True)
    assert (model.command_bytes, model.data_bytes) == (4, 0)


def test_control_byte_40_makes_all_that_follows_data() -> None:
    model = Ssd1306()
    model.transfer(b"\x40\x81\x40\xa7\xaf")
    assert model.gddram[:5] == b"\x81\x40\xa7\xaf\x00"
    assert not model.on


def test_control_byte_with_co_covers_one_byte_only() -> None:
    model = Ssd1306()
    model.transfer(b"\x80\x81\x80\x22\xc0\x55\x80\xaf\x40\x66\x77")
    assert (model.contrast, model.on) == (0x22, True)
    assert model.gddram[:3] == b"\x55\x66\x77"


def test_a_command_may_be_spread_over_transactions() -> None:
    model = Ssd1306()
    for value in (0x21, 5, 9):
        model.transfer(bytes([0x80, value]))
    assert (model.column, model.column_end) == (5, 9)


def test_counters_count_payload_and_control_bytes() -> None:
    model = Ssd1306()
    model.transfer(b"\x00\xe3")
    model.transfer(b"\x40" + bytes(8))
    model.transfer(b"")
    assert (model.transactions, model.bytes_received) == (3, 11)
    assert (model.command_bytes, model.data_bytes) == (1, 8)


def test_status_says_whether_the_display_is_off() -> None:
    model = Ssd1306()
    assert model.status() == 0x40
    send(model, 0xAF)
    assert model.status() == 0x00


# -- commands ------------------------------------------------------------------------

ARGUMENTS = [
    (0x20, 1), (0x21, 2), (0x22, 2), (0x26, 6), (0x27, 6), (0x29, 5), (0x2A, 5), (0x2E, 0),
    (0x2F, 0), (0x40, 0), (0x7F, 0), (0x81, 1), (0x8D, 1), (0xA0, 0), (0xA1, 0), (0xA3, 2),
    (0xA4, 0), (0xA5, 0), (0xA6, 0), (0xA7, 0), (0xA8, 1), (0xAE, 0), (0xAF, 0), (0xB0, 0),
    (0xB7, 0), (0xC0, 0), (0xC8, 0), (0xD3, 1), (0xD5, 1), (0xD9, 1), (0xDA, 1), (0xDB, 1),
    (0xE3, 0),
]  # fmt: skip


@pytest.mark.parametrize(("command", "count"), ARGUMENTS)
def test_argument_count_of_each_command(command: int, count: int) -> None:
    # AFh switches the display on unless it is swallowed as an argument.
    model = Ssd1306()
    send(model, command, *[0x3F] * count, 0xAF)
    assert model.on
    assert not [fault for fault in model.faults if "window" not in fault and "mode" not in fault]
    if count:
        model = Ssd1306()
        send(model, command, *[0x3F] * (count - 1), 0xAF)
        assert not model.on


def test_reset_values() -> None:
    model = Ssd1306()
    send(model, 0x81, 1, 0xA7, 0xAF, 0xA1, 0xC8, 0x45, 0xD3, 9, 0xA8, 31, 0x8D, 0x14, 0x20, 0)
    data(model, 0xFF)
    model.reset()
    assert (model.contrast, model.inverted, model.on) == (0x7F, False, False)
    assert (model.start_line, model.offset, model.multiplex) == (0, 0, 64)
    assert (model.mode, model.column, model.page) == (PAGE, 0, 0)
    assert not (model.segment_remap or model.com_reversed or model.charge_pump)
    assert 0xFF in model.gddram  # a reset does not clear the memory
    model.power_cycle()
    assert model.gddram == bytes(1024)


def test_undefined_commands_are_reported() -> None:
    model = Ssd1306()
    send(model, 0xE4, 0xA8, 3, 0x20, 3)
    model.transfer(b"\x01\xe3")
    assert model.faults == [
        "command E4h", "multiplex ratio 3", "addressing mode 03h", "control byte 01h",
    ]  # fmt: skip
    assert (model.multiplex, model.mode) == (64, PAGE)


def test_scrolling_is_accepted_and_noted() -> None:
    model = Ssd1306()
    send(model, 0x26, 0, 0, 7, 7, 0, 0xFF, 0x2F)
    assert model.scrolling
    send(model, 0x2E)
    assert not model.scrolling
    assert model.faults == []


# -- addressing ----------------------------------------------------------------------


def test_page_mode_wraps_in_its_page() -> None:
    model = Ssd1306()
    send(model, 0xB3, 0x0E, 0x17)  # page 3, column 7Eh
    data(model, 1, 2, 3, 4)
    row = model.gddram[3 * 128 : 4 * 128]
    assert (row[126:], row[:2]) == (b"\x01\x02", b"\x03\x04")
    assert model.gddram.count(0) == 1024 - 4


def test_column_nibbles_change_one_half_each() -> None:
    model = Ssd1306()
    send(model, 0x15, 0x03)
    assert model.column == 0x53
    send(model, 0x12)
    assert model.column == 0x23


def test_page_and_column_commands_also_act_in_horizontal_mode() -> None:
    model = Ssd1306()
    send(model, 0x20, HORIZONTAL, 0xB2, 0x04, 0x10)
    data(model, 7)
    assert model.gddram[2 * 128 + 4] == 7


def test_horizontal_mode_fills_its_window_row_by_row_and_starts_again() -> None:
    model = Ssd1306()
    send(model, 0x20, HORIZONTAL, 0x21, 10, 12, 0x22, 2, 3)
    data(model, 1, 2, 3, 4, 5, 6, 7)
    assert model.gddram[2 * 128 + 10 : 2 * 128 + 13] == b"\x07\x02\x03"
    assert model.gddram[3 * 128 + 10 : 3 * 128 + 13] == b"\x04\x05\x06"
    assert model.gddram.count(0) == 1024 - 6


def test_vertical_mode_fills_its_window_column_by_column_and_starts_again() -> None:
    model = Ssd1306()
    send(model, 0x20, VERTICAL, 0x21, 10, 12, 0x22, 2, 3)
    data(model, 1, 2, 3, 4, 5, 6, 7)
    assert model.gddram[2 * 128 + 10 : 2 * 128 + 13] == b"\x07\x03\x05"
    assert model.gddram[3 * 128 + 10 : 3 * 128 + 13] == b"\x02\x04\x06"


def test_a_full_frame_ends_where_it_began() -> None:
    model = Ssd1306()
    send(model, 0x20, HORIZONTAL, 0x21, 0, 127, 0x22, 0, 7)
    frame = random.Random(1).randbytes(1024)
    data(model, *frame)
    assert model.gddram == frame
    assert (model.column, model.page) == (0, 0)


def test_a_window_survives_the_change_of_mode() -> None:
    model = Ssd1306()
    send(model, 0x21, 100, 101, 0x22, 7, 7, 0x20, HORIZONTAL)
    data(model, 1, 2, 3)
    assert model.gddram[7 * 128 + 100 : 7 * 128 + 102] == b"\x03\x02"


# -- what is seen --------------------------------------------------------------------


def test_dark_until_switched_on_and_powered() -> None:
    model = Ssd1306()
    data(model, 0xFF)
    assert lit(model) == set()
    send(model, 0xAF)
    assert lit(model) == set()  # no charge pump
    send(model, 0x8D, 0x14)
    assert lit(model)
    send(model, 0xAE)
    assert lit(model) == set()
    outside = Ssd1306(external_vcc=True)
    send(outside, 0xA5, 0xAF)
    assert len(lit(outside)) == 128 * 64


def test_the_usual_module_is_upright_with_both_mirrors() -> None:
    model = upright()
    data(model, 0x01)
    assert lit(model) == {(0, 0)}


def test_without_mirrors_the_picture_is_turned_round() -> None:
    model = Ssd1306()
    send(model, 0x8D, 0x14, 0xAF)
    data(model, 0x01)
    assert lit(model) == {(127, 63)}


def test_com_direction_acts_at_once_and_segment_remap_on_later_data() -> None:
    model = upright()
    data(model, 0x01)
    send(model, 0xC0)
    assert lit(model) == {(0, 63)}
    send(model, 0xA0)
    assert lit(model) == {(0, 63)}
    send(model, 0xB0, 0x00, 0x10)
    data(model, 0x01)
    assert lit(model) == {(0, 63), (127, 63)}


def test_start_line_moves_the_picture_up() -> None:
    model = upright()
    data(model, 0x81)  # rows 0 and 7
    send(model, 0x40 | 5)
    assert lit(model) == {(0, 59), (0, 2)}


def test_display_offset_moves_the_rows_up() -> None:
    model = upright()
    data(model, 0x81)
    send(model, 0xD3, 5)
    assert lit(model) == {(0, 59), (0, 2)}


# Rows of the two tables "example of set display offset and display start line" of the
# data sheet: (reversed, multiplex, offset, start line) -> memory line at some COM pins.
OFFSET_TABLE = [
    (False, 64, 0, 0, {0: 0, 63: 63}),
    (False, 64, 8, 0, {0: 8, 55: 63, 56: 0, 63: 7}),
    (False, 64, 0, 8, {0: 8, 55: 63, 56: 0, 63: 7}),
    (False, 56, 0, 0, {0: 0, 55: 55, 56: None, 63: None}),
    (False, 56, 8, 0, {0: 8, 47: 55, 48: None, 55: None, 56: 0, 63: 7}),
    (False, 56, 0, 8, {0: 8, 47: 55, 48: 56, 55: 63, 56: None}),
    (True, 64, 0, 0, {0: 63, 63: 0}),
    (True, 64, 8, 0, {0: 7, 7: 0, 8: 63, 63: 8}),
    (True, 64, 0, 8, {0: 7, 63: 8}),
    (True, 48, 0, 0, {0: 47, 47: 0, 48: None, 63: None}),
    (True, 48, 8, 0, {0: None, 7: None, 8: 47, 55: 0, 56: None}),
    (True, 48, 0, 8, {0: 55, 47: 8, 48: None}),
]


@pytest.mark.parametrize(("reverse", "multiplex", "offset", "start", "expected"), OFFSET_TABLE)
def test_offset_and_start_line_as_in_the_data_sheet(
    reverse: bool, multiplex: int, offset: int, start: int, expected: dict[int, int | None]
) -> None:
    model = Ssd1306()
    send(model, 0x8D, 0x14, 0xC8 if reverse else 0xC0, 0xA8, multiplex - 1, 0xD3, offset)
    send(model, 0x40 | start, 0xA1, 0xAF, 0x20, VERTICAL)
    # One column for each memory line: column n has only line n.
    for line in range(64):
        data(model, *((1 << line).to_bytes(8, "little")))
    rows = model.visible()
    for com, line in expected.items():
        seen = [x for x, on in enumerate(rows[63 - com]) if on]
        assert seen == ([] if line is None else [line])


def test_invert_turns_only_driven_rows() -> None:
    model = upright()
    data(model, 0x01)
    send(model, 0xA7)
    assert len(lit(model)) == 128 * 64 - 1
    send(model, 0xA8, 31)
    # Reversed COM direction counts from COM31, the middle of the glass.
    assert {y for _, y in lit(model)} == set(range(32, 64))


def test_all_on_ignores_memory() -> None:
    model = upright()
    send(model, 0xA5)
    assert len(lit(model)) == 128 * 64
    send(model, 0xA4)
    assert lit(model) == set()


def test_frame_and_text_show_the_same_as_visible() -> None:
    model = upright()
    frame = random.Random(2).randbytes(1024)
    send(model, 0x20, HORIZONTAL)
    data(model, *frame)
    assert model.frame() == frame
    lines = model.text().splitlines()
    assert (len(lines), {len(line) for line in lines}) == (32, {128})
    rows = model.visible()
    assert lines[3][40] == " \u2580\u2584\u2588"[rows[6][40] + 2 * rows[7][40]]


# -- SH1106 --------------------------------------------------------------------------


def test_sh1106_shows_columns_2_to_129() -> None:
    model = upright(Sh1106())
    send(model, 0xB0, 0x00, 0x10)
    data(model, 0x01, 0x01, 0x02)
    assert lit(model) == {(0, 1)}
    send(model, 0xB0, 0x01, 0x18)  # column 129
    data(model, 0x04, 0x08)
    assert lit(model) == {(0, 1), (127, 2)}


def test_sh1106_column_pointer_stops_at_the_end() -> None:
    model = Sh1106()
    send(model, 0xB1, 0x03, 0x18)  # column 131
    data(model, 1, 2, 3)
    assert model.gddram[132 + 131] == 1
    assert model.gddram.count(0) == 8 * 132 - 1


def test_sh1106_knows_no_addressing_modes() -> None:
    model = Sh1106()
    send(model, 0x20, 0x00, 0x21, 0x00, 0x7F, 0x22, 0x00, 0x07)
    data(model, *[0xFF] * 1024)
    assert model.gddram.count(0xFF) < 132
    assert model.faults == ["command 20h", "command 21h", "command 22h"]


def test_sh1106_converter_is_on_after_reset() -> None:
    model = Sh1106()
    send(model, 0xA5, 0xAF)
    assert len(lit(model)) == 128 * 64
    send(model, 0xAD, 0x8A)
    assert lit(model) == set()
