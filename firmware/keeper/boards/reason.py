"""What broke the program, in words. In memory only when something did."""

import io
import sys

PLACES = 3  # innermost functions that a fault is reported with
# Beside this program: a line for each name of its own, as it is here and in the sources, and where it stands for
# another one elsewhere, in which file (as a traceback has it, quotes included).
NAMES = "names.txt"


def reason(error):
    """Return in short what happened and where: the error, its text, and the innermost functions of the program.

    The board has no line numbers: they would take 4 KB of its memory.
    """
    trace = io.StringIO()
    sys.print_exception(error, trace)
    lines = trace.getvalue().split("\n")
    places = [line.split(", in ")[-1] for line in lines if ", in " in line]  # File "core.py", line 1, in step
    said = lines[-2].split("'")  # AttributeError: 'Page' object has no attribute 'draw'
    _use_names_of_sources((places, said), trace.getvalue())
    return "'".join(said) + " in " + " > ".join(places[-PLACES:])


def _use_names_of_sources(lists, trace):
    """Replace the names that the board has for something of ours, in lists of words (host/bazzi/rename.py)."""
    try:
        names = open(__file__[: __file__.rfind("/") + 1] + NAMES)  # noqa: SIM115
    except OSError:  # the sources themselves are running, or a build without the list
        return
    for line in names:
        entry = line.split()
        if len(entry) > 2 and entry[2] not in trace:
            continue
        for words in lists:
            for place in range(len(words)):
                if words[place] == entry[0]:
                    words[place] = entry[1]
    names.close()
