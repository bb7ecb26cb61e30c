"""Math as MathML, made when the book is built: browsers show it by themselves, and screen readers read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

if TYPE_CHECKING:
    from docutils.nodes import math, math_block
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata
    from sphinx.writers.html5 import HTML5Translator


def inline(translator: HTML5Translator, node: math) -> None:
    """Write a formula within a sentence."""
    translator.body.append(convert(node.astext()))
    raise SkipNode


def block(translator: HTML5Translator, node: math_block) -> None:
    """Write a formula on lines of its own."""
    formula = convert(node.astext(), display="block")
    translator.body.append(f'<div class="math" tabindex="0" role="group" aria-label="formula">{formula}</div>\n')
    raise SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
