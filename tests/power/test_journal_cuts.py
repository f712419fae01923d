"""The power fails at every write, flush, rename and close of a session: nothing acknowledged is lost.

FIELD_REPORTS row 29: scores were erased because saving happened late. Here every step is durable before
it is acknowledged, whatever the moment of the cut.
"""

from power_files import MemoryFiles, torn
from power_script import Runner, check, journal_in, script


def record_once():
    """Play the script once; returns what there was before every operation.

    (durable files, unflushed files, records, acknowledged counts, acknowledged matches)
    """
    files = MemoryFiles()
    runner = Runner(journal_in("d", files))
    moments = []

    def note(name, path):
        if name != "read":
            moments.append(
                (dict(files.durable), dict(files.pending), dict(runner.records), dict(runner.safe), list(runner.begun))
            )

    files.on = note
    runner.play(script())
    note("end", "")
    return moments


def check_image(durable, records, safe, begun, torn=False):
    files = MemoryFiles(durable)
    check(journal_in("d", files), records, safe, begun, lambda: journal_in("d", files), torn)


def test_row_29_a_cut_before_every_operation_loses_nothing_acknowledged():
    moments = record_once()
    assert len(moments) > 200
    for durable, _, records, safe, begun in moments:
        check_image(durable, records, safe, begun)


def test_row_29_a_cut_on_a_disk_that_tears_what_was_not_flushed_loses_nothing_acknowledged():
    seen = set()
    for durable, pending, records, safe, begun in record_once():
        for path, new in pending.items():
            stride = 60 if path.endswith(".new") else 7
            for content in torn(durable[path], new, stride):
                image = dict(durable)
                image[path] = content
                key = (tuple(sorted(image.items())), tuple(safe.items()))
                if key not in seen:
                    seen.add(key)
                    check_image(image, records, safe, begun, torn=True)
    assert len(seen) > 500


def test_a_cut_in_the_middle_of_recovery_is_a_cut_like_any_other():
    """Cut at every operation of the start that follows a cut, from images that need repair."""
    moments = record_once()
    for durable, pending, records, safe, begun in moments[60::23]:
        image = dict(durable)
        for path, new in pending.items():
            image[path] = (list(torn(durable[path], new, 5)) or [durable[path]])[-2:][0]
        image["d/m1.log"] = image.get("d/m1.log", b"") + b"half"
        files = MemoryFiles(image)
        second = []
        files.on = lambda name, path, files=files, second=second: second.append(dict(files.durable))
        journal = journal_in("d", files)
        from power_script import new_session

        for number in begun:
            journal.resume(journal.entry(number), new_session())
        for again in second:
            check_image(again, records, safe, begun, torn=True)
