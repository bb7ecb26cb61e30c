"""Build the book: `python tools/site.py [FOLDER]` writes `site/` or that folder, which opens with the network cut.

The sources are laid together in a folder of their own: `docs/`, the lessons as committed, the table of conventions
and the list of public names, which the package itself knows.
"""

import inspect
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import main as sphinx

import ndcg_lab
from ndcg_lab import conventions
from ndcg_lab.conventions.pages import differences
from ndcg_lab.conventions.tables import markdown

ROOT = Path(__file__).resolve().parent.parent


def lay_out(source: Path) -> None:
    """Put everything that Sphinx reads into one folder."""
    shutil.copytree(ROOT / "docs", source, dirs_exist_ok=True)
    shutil.copytree(ROOT / "notebooks", source / "lessons", ignore=shutil.ignore_patterns(".*", "*.md"))
    names = sorted(path.stem for path in (source / "lessons").glob("*.ipynb"))
    index = source / "index.md"
    text = index.read_text(encoding="utf-8").replace("@LESSONS@", "\n".join(f"lessons/{name}" for name in names))
    index.write_text(text, encoding="utf-8")
    (source / "conventions.md").write_text(conventions_page(), encoding="utf-8")
    (source / "systems").mkdir()
    for name in conventions:
        (source / "systems" / f"{name}.md").write_text(system_page(name), encoding="utf-8")
    (source / "api.rst").write_text(api_page(), encoding="utf-8")


def conventions_page() -> str:
    """The table of what existing systems mean by NDCG, in Markdown; each name leads to the system's page."""
    lines = markdown(conventions.values()).splitlines()
    for place, name in enumerate(conventions, 2):
        lines[place] = lines[place].replace(f"| {name} |", f"| [{name}](systems/{name}.md) |", 1)
    pages = "\n".join(f"systems/{name}" for name in conventions)
    tree = f"```{{toctree}}\n:hidden:\n\n{pages}\n```"
    return "\n".join(["# What existing systems mean by NDCG", "", *lines, "", tree, ""])


def system_page(name: str) -> str:
    """All that is known of one system, and what sets it apart from each other one, in Markdown."""
    return f"{conventions.table(name)}\n{differences(conventions[name], conventions.values())}\n"


def api_page() -> str:
    """Every public name with its docstring, module by module, for autodoc."""
    lines = ["API", "===", ""]
    for module, names in ndcg_lab._MODULES.items():
        lines += [f"ndcg_lab.{module}", "-" * 40, ""]
        if not names:
            lines += [f".. automodule:: ndcg_lab.{module}", "   :members:", ""]
        for name in names:
            lines += directive(module, name)
    return "\n".join(lines)


def directive(module: str, name: str) -> list[str]:
    """The autodoc directive for one public name."""
    value = getattr(ndcg_lab, name)
    if inspect.isclass(value):
        return [f".. autoclass:: ndcg_lab.{module}.{name}", "   :members:", "   :show-inheritance:", ""]
    kind = "function" if inspect.isroutine(value) else "data"
    return [f".. auto{kind}:: ndcg_lab.{module}.{name}", ""]


def main(target: str = "site") -> int:
    """Build; returns the exit status."""
    with TemporaryDirectory() as folder:
        source, built = Path(folder, "source"), Path(folder, "built")
        lay_out(source)
        status = sphinx(["--fail-on-warning", "--keep-going", "--quiet", "-b", "html", str(source), str(built)])
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(built, target, ignore=shutil.ignore_patterns(".*"))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
