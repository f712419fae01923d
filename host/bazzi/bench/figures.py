"""A figure beside what is aimed at."""

import click


def say(name: str, value: float | int | str, aim: str = "", unit: str = "") -> None:
    """Print one figure: its name, value and unit, and the aim."""
    shown = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
    click.echo(f"  {name:<58}{shown:>12} {unit:<8}{aim}")
