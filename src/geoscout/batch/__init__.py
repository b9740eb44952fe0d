"""Geoparses whole archives: a WARC or WET file in, a file with a row for each page out.

The way of a file: `documents` finds its pages, `page_reader` makes a row of each in another process
(`page_pool`), `row_files` writes the rows, `convert` does these three for one file. `run` does it
for many files on one machine, `ray_run` on the machines of a Ray cluster; `folder` knows which
files are done.
"""
