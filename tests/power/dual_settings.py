"""Runs on both interpreters, which must print the same: names judged, settings kept, damaged files found."""

import sys

from keeper import settings, store

NAMES = (
    "Asha", "  Asha ", "", "   ", "\u00a0\u2003", "\u3000Bo\u3000", "a\tb", "\ta", "a\x00", "a\x7f", "a\x9f",
    "a\u2028b", "\u202eabc", "\ufeffa", "José", "O'Neil \"x\" \\", "अशा", "x" * 24, "x" * 25, "é" * 12, "é" * 12 + "x",
    "😀" * 6,
    "😀" * 6 + "!", None, 7, ["a"], b"a",
)  # fmt: skip
DAMAGE = (b"", b"{", b"\x00" * 50, b"\xff\xfe garbage \n {}", b'{"format": 9, "crc": "00000000"}\n[]\n', b"x" * 40000)

folder = sys.argv[1]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


for name in NAMES:
    kept, reason = settings.judge(name)
    print([ord(sign) for sign in kept], reason)

box = settings.Settings(folder)
box.load()
for option in settings.TABLE:
    print(option.id, box.get(option.id), box.code(option.id))
CHANGES = (
    ("brightness", 6), ("brightness", 2), ("brightness", True), ("flip", "on"), ("flip", 1), ("no", 1),
    ("column_offset", 2), ("column_offset", 1), ("dim_s", 0), ("dim_s", -1), ("language", "xx"),
)  # fmt: skip
for id, value in CHANGES:
    print(id, value, box.set(id, value))
print(box.set_house("seep", {"target_lead": 50, "last_sweep": 50}), box.set_house("seep", {"target_lead": 0}))
print(box.set_house("chess", {}), box.set_house("seep", {"nothing": 1}), box.set_house("seep", 3))
print(box.add_name("  Zoe "), box.add_name("Zoe"), box.add_name("\n"))
print(box.save())

box = settings.Settings(folder)
box.load()
print(box.get("brightness"), box.get("flip"), box.get("column_offset"), box.get("dim_s"), box.roster, box.warnings)
print(sorted(box.house("seep").items()), box.house("ten"))

for data in DAMAGE:
    write(folder + "/thing", data)
    warnings = []
    print(store.load(folder + "/thing", 5, warnings), warnings, store.FILES.size(folder + "/thing"))
print(store.load(folder + "/nothing", 5, warnings), len(warnings))
value = {"a": [1, -2, None, True, 'é\n\\" \x01']}
store.save(folder + "/thing", value)
with open(folder + "/thing", "rb") as file:
    whole = file.read()
bad = 0
for place in range(len(whole)):
    write(folder + "/thing", whole[:place])
    bad += store.load(folder + "/thing", None, []) is None
    write(folder + "/thing", whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
    bad += store.load(folder + "/thing", None, []) is None
write(folder + "/thing", whole)
print(bad == 2 * len(whole), store.load(folder + "/thing", None, []) == value)
