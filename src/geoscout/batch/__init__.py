"""Geoparses whole archives: a WARC or WET file in, a file with a row for each page out.

The way of a file: `documents` finds its pages, `rows` makes a row of each in another process,
`folder` writes the rows. `run` does these for one file and for many on one machine, `on_ray` on
the machines of a Ray cluster; `folder` knows which files are done.
"""
