"""MicroPython only: flash operations of real littlefs per step of a match (see measure_journal.py)."""

import lfs_device
from keeper.journal import Journal
from power_script import Runner, deal, plenty, random_bytes

STEPS = 512


def main():
    device = lfs_device.Device(40)
    lfs_device.mount(device, new=True)
    journal = Journal("/disk/data", "box", random_bytes, plenty)
    journal.scan()
    runner = Runner(journal)
    runner.play([("create",), ("resume", 1)])
    programs = device.programs
    erases = device.erases
    without = 0
    for step in deal(50) * (STEPS // 4):
        before = device.erases
        runner.make(step)
        without += device.erases == before
    programs = device.programs - programs
    erases = device.erases - erases
    print(
        "littlefs, %d answers: %.2f page programs and %.3f erases an answer; %d %% of the answers without an erase"
        % (STEPS, programs / STEPS, erases / STEPS, 100 * without // STEPS)
    )
    journal.close()
    journal._close_reader()
    lfs_device.unmount()


main()
