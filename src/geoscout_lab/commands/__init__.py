"""The commands of the laboratory, and its views of a crawl in `geoscout status`.

`geoscout --help` imports the commands, and `geoscout status` the views, so they import what is slow
only when they run.
"""
