"""The one thing in drawing that differs between MicroPython and CPython."""

from struct import pack_into

from shared_rules.question import const

TEXT_BYTES = const(96)  # what one text may have on the screen; as in the format below


def _packs_str():
    try:
        pack_into("1s", bytearray(1), 0, "x")
    except Exception:  # CPython: struct.error, which MicroPython does not have
        return False
    return True


if _packs_str():

    def utf8_into(buffer, text):
        """Put the UTF-8 of a str or bytes into a bytearray of TEXT_BYTES, cut or filled up with zeros."""
        # In MicroPython a str is a buffer, and packing copies its bytes without allocating. Indexing a
        # str would make, and intern for ever, a new str for each letter not seen before.
        pack_into("96s", buffer, 0, text)

else:

    def utf8_into(buffer, text):
        """Put the UTF-8 of a str or bytes into a bytearray of TEXT_BYTES, cut or filled up with zeros."""
        if isinstance(text, str):
            text = text.encode("utf-8", "replace")
        pack_into("96s", buffer, 0, text)
