"""Prints foreign text and reports for people: a terminal shows what a name holds and obeys nothing in it."""

from rich.console import Console
from rich.text import Text

_WIDE = 1_000_000


def printable(text: str) -> str:
    r"""Text whose control, format and other invisible characters are written as escapes.

    >>> print(printable("red\x1b[31m"), printable("a\u202eb"))
    red\x1b[31m a\u202eb
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def console() -> Console:
    """Standard output: coloured and folded on a terminal, plain and never cut elsewhere; NO_COLOR is respected."""
    screen = Console(highlight=False, markup=False, emoji=False)
    return screen if screen.is_terminal else Console(highlight=False, markup=False, emoji=False, width=_WIDE)


def styled(text: str, style: str = "") -> Text:
    """Foreign text for a table or a line: no markup in it is obeyed."""
    return Text(printable(text), style=style, overflow="fold")
