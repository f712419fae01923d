"""MicroPython only: record sessions on real littlefs once, then cut before and within every flash operation.

FIELD_REPORTS row 29: saving late loses games; here a cut at any operation of the flash loses nothing acknowledged.
"""

import sys

import lfs_device
from keeper.journal import Journal
from power_script import Runner, check, deal, plenty, random_bytes, script

FOLDER = "/disk/data"
BLOCKS = 40
opened = []  # a lost open file would call its device from the finaliser, with the heap locked


def open_journal():
    journal = Journal(FOLDER, "box", random_bytes, plenty)
    journal.scan()
    opened.append(journal)
    return journal


def shut():
    for journal in opened:
        journal._shut()
        journal._close_reader()
    opened.clear()


def cut_everywhere(name, before, steps):
    """Make the steps ``before``, then record ``steps``, then check every image that a cut may leave."""
    device = lfs_device.Device(BLOCKS)
    lfs_device.mount(device, new=True)
    runner = Runner(open_journal())
    runner.play(before)
    base = bytes(device.data)
    log = []

    def note(block, offset, data):
        state = (dict(runner.records), dict(runner.safe), list(runner.begun))
        log.append((block * lfs_device.BLOCK + offset, None if data is None else bytes(data), state))

    device.on = note
    runner.play(steps)
    shut()
    lfs_device.unmount()
    device.on = None

    image = bytearray(base)
    checked = 0
    for place in range(len(log)):
        at, data, state = log[place]
        whole = b"\xff" * lfs_device.BLOCK if data is None else data
        for part in (0, len(whole) // 2) if place % 2 else (0,):
            cut = lfs_device.Device(BLOCKS, image)
            cut.data[at : at + part] = whole[:part]
            lfs_device.mount(cut)
            try:
                check(open_journal(), state[0], state[1], state[2], open_journal)
            except BaseException:
                print(name, "cut at operation", place, "of", len(log), "after", part, "bytes;", state[1])
                raise
            shut()
            lfs_device.unmount()
            checked += 1
        image[at : at + len(whole)] = whole
    assert image == device.data, "the operations are not all there are"
    records = sum([len(data) for data in runner.records.values()]) // 16
    print(name, checked, "cuts,", len(log), "operations,", records, "records")


def main():
    cut_everywhere("short", [], script())
    before = [("create",), ("resume", 1)]
    before += deal(50) * 58  # 232 records: the steps recorded take the log over its first block of 4 KB
    cut_everywhere("long", before, deal(51) * 9 + [("aside", 1)])


try:
    main()
except BaseException:
    shut()
    raise
sys.exit(0)
