"""Other words in the place of parts of a program, with every line where it was."""

import ast
from collections.abc import Iterable

Span = tuple[int, int, int, int]  # line and column, in bytes, of the beginning and of the end, as ast has them


def span(node: ast.AST) -> Span:
    """Return where a part of a program stands, the decorators of a definition included."""
    first = min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", [])]])  # type: ignore[attr-defined]
    return first, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def replaced(text: str, edits: Iterable[tuple[Span, str]]) -> str:
    """Return a program with other words at some places, which do not overlap."""
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for (first, column, last, end_column), words in sorted(edits, reverse=True):
        after = lines[last - 1][end_column:]
        lines[first - 1] = lines[first - 1][:column] + words.encode() + after
        lines[first:last] = [b"\n"] * (last - first)
    return b"".join(lines).decode()
