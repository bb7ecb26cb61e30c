"""Bytes of a file, decompressed and proved to be UTF-8 text with one kind of line end; else what the file is."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ndcg_lab.errors import FormatError, WrongKind

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MOST_BYTES", "Source", "read_source"]

Source = str | PathLike[str] | IO[bytes] | IO[str]
"""A path (`-` is standard input) or an open file, in text or in bytes."""

MOST_BYTES = 1 << 31
"""A compressed file may hold so many bytes: a small one can be made that would fill any memory."""


def read_source(source: Source) -> tuple[str, bytes]:
    """The name of a source and its text: decompressed, UTF-8 without a byte order mark, lines ending in a line feed.

    Raises:
        FormatError: for a damaged file, another encoding, or what is no text; it names file, line and cause.
        WrongKind: for what names no file and is none.
    """
    data: bytes | str
    if isinstance(source, str) and source == "-":
        name, data = "standard input", getattr(sys.stdin, "buffer", sys.stdin).read()
    elif isinstance(source, str | PathLike):
        name, data = str(source), Path(source).read_bytes()
    else:
        if not hasattr(source, "read"):
            raise WrongKind(f"a file is named by its path or given open, not as {type(source).__name__}")
        name, data = str(getattr(source, "name", "the open file")), source.read()
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    data = _text(name, _decompressed(name, data).removeprefix(b"\xef\xbb\xbf"))
    return name, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


_OPENED: dict[bytes, tuple[str, Callable[[io.BytesIO], Any]]] = {
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh": ("bzip2", bz2.open),
    b"\xfd7zXZ\x00": ("xz", lzma.open),
}
_CLOSED = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"PAR1": "Parquet",
    b"\x80": "pickle",
    b"\x93NUMPY": "numpy",
}


def _decompressed(name: str, data: bytes) -> bytes:
    for start, kind in _CLOSED.items():
        if data.startswith(start):
            raise FormatError(
                f"{name}: this is {kind} data, which is not read here; write it as text, plain or as gzip"
            )
    for start, (kind, opened) in _OPENED.items():
        if data.startswith(start):
            try:
                with opened(io.BytesIO(data)) as file:
                    text: bytes = file.read(MOST_BYTES + 1)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                cause = f"damaged {kind} data ({error})"
                raise FormatError(f"{name}: {cause}; expected a whole {kind} file, or text") from error
            if len(text) > MOST_BYTES:
                raise FormatError(
                    f"{name}: more than {MOST_BYTES:,} bytes when decompressed; divide the file by queries"
                )
            return text
    return data


def _text(name: str, data: bytes) -> bytes:
    """The same bytes, if they are text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(f"{name}, line 1: the text is UTF-16; expected UTF-8")
    if b"\0" in data:
        if 3 * max(data[::2].count(b"\0"), data[1::2].count(b"\0")) > len(data):
            raise FormatError(f"{name}: the text is UTF-16 without a mark; expected UTF-8")
        at = data.index(b"\0")
        line, start = data.count(b"\n", 0, at) + 1, data.rfind(b"\n", 0, at) + 1
        column = len(data[start : at + 1].split())
        raise FormatError(
            f"{name}, line {line}: column {column} holds a NUL byte, which is no part of an id or a number"
        )
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = error.start - data.rfind(b"\n", 0, error.start)
        byte = f"byte 0x{data[error.start]:02x} at position {place}"
        raise FormatError(f"{name}, line {line}: {byte} is not UTF-8; expected UTF-8 text") from error
    return data
