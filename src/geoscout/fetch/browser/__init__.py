"""Pages whose text is made by scripts: fetched as any other, then shown to a browser.

The browser has no network of its own. What a page asks for goes through `gate.py` to the same
client as all requests of the crawl, so robots.txt, addresses, turns and limits hold for scripts,
too; the document itself is not asked for again.

    fetcher ─► response ─► need.py: would a browser see more? ─► renderer.py ─► a new body

`processes.py` finds the browser's processes and ends those that take too much.
"""
