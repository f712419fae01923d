"""Small JSON files that a power cut leaves old or new, never half, and the file operations the box uses.

A file is two lines: ``{"format": 1, "crc": "0a1b2c3d"}`` and the value as JSON. The check is the
CRC-32 of all that follows the first line, so garbage never reaches the JSON reader. A new value is
written under a temporary name, flushed, closed and renamed over the old one, because a file that is
opened to be rewritten is empty until it is closed.
"""

import json
import os
from binascii import crc32

from shared_rules.question import const

FORMAT = const(1)
MOST_BYTES = const(32768)  # a longer file is not one of ours; reading it could take all memory
TEMPORARY = ".new"
BAD = ".bad"
MOST_BAD = const(9)  # damaged versions of one file that are kept


class Files:
    """The file operations used, in one place, so that tests can make each of them fail.

    All raise OSError. Files are opened unbuffered: ``write`` returns how many bytes it took.
    ``fsync`` is os.fsync where the laptop shall survive a power cut too; littlefs needs none.
    """

    def __init__(self, fsync=None):
        self._fsync = fsync
        self.rename = getattr(os, "replace", os.rename)  # replaces an existing file on every system
        self.remove = os.remove
        self.listdir = os.listdir

    def open(self, path, mode):
        """Open a file; the mode is one of "rb", "wb", "ab", "r+b"."""
        return open(path, mode, 0)

    def sync(self, file):
        """Make durable what was written; nothing counts as kept before this returned."""
        file.flush()
        if self._fsync is not None:
            self._fsync(file.fileno())

    def size(self, path):
        """Return the bytes of a file, -1 where there is none."""
        try:
            return os.stat(path)[6]
        except OSError:
            return -1


FILES = Files()


def put(file, data):
    """Write all of a buffer; raises OSError where not all of it was taken."""
    if file.write(data) != len(data):
        raise OSError("no room")


def replace(path, data, files=FILES):
    """Make a file hold these bytes, or leave it as it was and raise OSError."""
    new = path + TEMPORARY
    try:
        file = files.open(new, "wb")
        try:
            put(file, data)
            files.sync(file)
        finally:
            file.close()
        files.rename(new, path)
    except OSError:
        discard(new, files)
        raise


def discard(path, files=FILES):
    """Remove a file; False where it is not there or cannot be removed."""
    try:
        files.remove(path)
    except OSError:
        return False
    return True


def _head(body):
    return b'{"format": %d, "crc": "%08x"}\n' % (FORMAT, crc32(body) & 0xFFFFFFFF)


def save(path, value, files=FILES):
    """Keep a value that JSON can hold; raises OSError, and then the former value is still there."""
    body = json.dumps(value).encode() + b"\n"
    replace(path, _head(body) + body, files)


def load(path, default, warnings, files=FILES):
    """Return the value kept in a file, or the default where the file is missing or damaged.

    A damaged file is renamed to "<path>.bad" (".2.bad" and so on) and one line is appended to warnings.
    """
    size = files.size(path)
    if size < 0:
        return default
    if size == 0:
        reason = "empty"
    elif size > MOST_BYTES:
        reason = "too long"
    else:
        reason = "damaged"
        try:
            data = read(path, size, files)
            end = data.find(b"\n") + 1
            body = data[end:]
            if data[:end] == _head(body):
                return json.loads(body.decode())
            if end and data.startswith(b'{"format": ') and not data.startswith(b'{"format": %d,' % FORMAT):
                reason = "of another format"
        except OSError:
            reason = "unreadable"
        except ValueError:  # also what is not UTF-8; next to impossible behind the check
            pass
    warnings.append("%s is %s; %s" % (_name(path), reason, set_aside(path, files)))
    return default


def read(path, size, files=FILES):
    """Return the first ``size`` bytes of a file, or as many as there are; raises OSError."""
    try:
        return _read(path, size, files)
    except OSError:  # once more, because a file that cannot be read is set aside
        return _read(path, size, files)


def _read(path, size, files):
    data = bytearray(size)
    file = files.open(path, "rb")
    try:
        got = file.readinto(data)
    finally:
        close(file)
    return bytes(data if got == size else data[: got or 0])


def close(file):
    """Close a file on which nothing depends any more: read only, flushed, or given up; False where that failed."""
    try:
        file.close()
    except OSError:
        return False
    return True


def _name(path):
    return path[path.rfind("/") + 1 :]


def set_aside(path, files=FILES):
    """Rename a damaged file out of the way; returns in words where it is now."""
    bad = path + BAD
    for place in range(2, MOST_BAD + 1):
        if files.size(bad) < 0:
            break
        bad = "%s.%d%s" % (path, place, BAD)
    try:
        files.rename(path, bad)
    except OSError:
        return "left where it is"
    return "kept as " + _name(bad)
