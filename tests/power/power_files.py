"""A file system in memory that fails on demand: what is durable after a power cut, and a full disk.

It keeps files as littlefs does: a file is what was flushed last, renaming and removing happen at
once, a file that was opened to be rewritten is empty until it is flushed. ``torn`` gives what a less
careful file system may leave: any part of what was written since the last flush, the rest as before.
"""

import errno


class File:
    """An open file of MemoryFiles."""

    def __init__(self, files, path, mode):
        self.files = files
        self.path = path
        self.content = bytearray(files.durable.get(path, b""))
        self.at = len(self.content) if mode == "ab" else 0
        self.dirty = False
        self.broken = False
        self.mode = mode
        self.seen = files.durable[path] if mode == "rb" else None
        if mode == "wb":
            self.content = bytearray()
            files.durable[path] = b""

    def write(self, data):
        self.files.operation("write", self.path)
        end = self.at + len(data)
        self.content[self.at : end] = bytes(data)
        self.at = end
        self.dirty = True
        self.files.pending[self.path] = bytes(self.content)
        self.files.written += len(data)
        return len(data)

    def flush(self):
        self.files.operation("flush", self.path, self)
        self.commit()
        self.files.flushes += 1

    def commit(self):
        # littlefs: after an error nothing more is committed, and nobody is told.
        if self.dirty and not self.broken:
            self.files.durable[self.path] = bytes(self.content)
        self.dirty = False
        self.files.pending.pop(self.path, None)

    def seek(self, at):
        self.at = at

    def readinto(self, buffer):
        # On littlefs the blocks that a reader knows may hold something else by now.
        assert self.seen is None or self.files.durable.get(self.path) is self.seen, "read through a stale handle"
        part = self.content[self.at : self.at + len(buffer)]
        buffer[: len(part)] = part
        self.at += len(part)
        return len(part)

    def close(self):
        self.files.operation("close", self.path, self)
        self.commit()


class MemoryFiles:
    """The file operations of keeper.store.Files, in memory.

    durable   path -> what is there after a power cut
    pending   path -> what the file would be if all that was written had arrived
    on        called before every operation with (name, path); may raise to fail it
    """

    def __init__(self, durable=None):
        self.durable = dict(durable or {})
        self.pending = {}
        self.on = None
        self.written = 0
        self.flushes = 0

    def operation(self, name, path, file=None):
        if self.on is not None:
            try:
                self.on(name, path)
            except OSError:
                if file is not None:
                    file.broken = True
                    self.pending.pop(path, None)
                raise

    def open(self, path, mode):
        self.operation("read" if mode == "rb" else "open", path)
        if mode in ("rb", "r+b") and path not in self.durable:
            raise OSError(errno.ENOENT, path)
        self.durable.setdefault(path, b"")
        return File(self, path, mode)

    def sync(self, file):
        file.flush()

    def rename(self, old, new):
        self.operation("rename", new)
        if old not in self.durable:
            raise OSError(errno.ENOENT, old)
        self.durable[new] = self.durable.pop(old)

    def remove(self, path):
        self.operation("remove", path)
        if path not in self.durable:
            raise OSError(errno.ENOENT, path)
        del self.durable[path]

    def listdir(self, folder):
        return [path[len(folder) + 1 :] for path in self.durable if path.startswith(folder + "/")]

    def size(self, path):
        return len(self.durable[path]) if path in self.durable else -1


def torn(old, new, stride):
    """Yield what a file may hold when writing ``new`` over ``old`` stopped anywhere (every ``stride`` bytes)."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    seen = set()
    for end in range(first, len(new) + 1):
        if (end - first) % stride == 0 or end % 16 in (0, 1, 15):
            content = new[:end] + old[end:]
            if content not in seen:
                seen.add(content)
                yield content
