"""Builds these pages as a site that can be searched: `make docs`.

Sphinx, with MyST for the Markdown as it is: nothing is written twice, and a link or an anchor that
leads nowhere fails the build. The pages of the project's root are part of it, so it is the source.
"""

from __future__ import annotations

from typing import Any

project = "geoscout"
extensions = ["myst_parser"]
root_doc = "docs/README"
include_patterns = [
    "*.md", "docs/*.md", "docs/**/*.md", "src/**/ATTRIBUTION.md", "benchmarks/**/README.md",
    "packaging/geoscout-places/README.md", "tests/cases/README.md",
]  # fmt: skip
html_theme = "furo"
html_title = "geoscout"
html_copy_source = False
myst_heading_anchors = 4
suppress_warnings = ["toc.not_included", "toc.excluded", "misc.highlighting_failure"]

_SIDE = """

```{{toctree}}
:hidden:
:caption: {title}
:glob:

{pages}
```
"""
_TREES = {
    "Use it": "/docs/install /docs/first-crawl /docs/[!R]*.md /docs/how-to/*",
    "Measure and change it": "/docs/results/* /docs/houses/* /docs/extend/* /docs/why/*",
    "The project": "/README /ARCHITECTURE /CONTRIBUTING /CHANGELOG /SECURITY /CODE_OF_CONDUCT",
}


def setup(app: Any) -> None:
    """Give the first page the list of all others."""
    app.connect("source-read", _add_side)


def _add_side(_app: object, page: str, source: list[str]) -> None:
    if page == root_doc:
        for title, pages in _TREES.items():
            lines = "\n".join(name.removesuffix(".md") for name in pages.split())
            source[0] += _SIDE.format(title=title, pages=lines)
