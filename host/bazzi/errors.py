"""What can go wrong, as one line for the person and an exit code. No traceback reaches anybody.

===== =========================================================================
code  meaning
===== =========================================================================
0     done
1     a fault in Bazzi itself: please report it
2     wrong input: a command line, a log, an option, a name, a file
3     no box, no port, two boxes, a port in use or without permission
4     the box answered wrongly, not at all, or speaks another version
5     the archive or a disk: full, locked, damaged, not writable
6     a check failed: a script's expectation, a doctor's finding, a verify
130   interrupted with Ctrl-C
===== =========================================================================
"""


class BazziError(Exception):
    """The root of all errors of the laptop program: one line that says what, where, and what was possible."""

    exit_code = 1


class InputError(BazziError):
    """Something given on the command line or in a file is wrong."""

    exit_code = 2


class PortError(BazziError):
    """There is no port to use, or not just one, or it cannot be opened."""

    exit_code = 3


class LinkError(BazziError):
    """The box does not answer as it should."""

    exit_code = 4


class ArchiveError(BazziError):
    """The archive or a disk does not take or give what it should."""

    exit_code = 5


class CheckError(BazziError):
    """Something that was to be checked does not hold."""

    exit_code = 6
