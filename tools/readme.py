"""Write the table of conventions into README.md, between its two marks: `python -m tools.readme`."""

from __future__ import annotations

from pathlib import Path

from ndcg_lab import conventions

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- conventions: begin -->", "<!-- conventions: end -->"


def with_table(text: str) -> str:
    """README's text with the table as the conventions are now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{conventions.table()}\n\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
    print("written: README.md")
