"""How Sphinx builds the book: all lessons, the conventions and the API, as pages that load nothing from elsewhere.

`tools/site.py` lays this folder, the lessons and the generated pages together and runs Sphinx on them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "ndcg-lab"
author = "the ndcg-lab developers"
project_copyright = "2026, the ndcg-lab developers"

extensions = ["mathml", "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# The lessons are shown as they were committed: executed.
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3

default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "ndcg-lab"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [("book.js", {"defer": "defer"})]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
