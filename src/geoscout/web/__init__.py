"""The ways in for people and programs: a REST API over crawls, and pages that use it.

`app.py` puts it together and is the place to start. `api/` has one module for each part of the
API, `dashboard/` the figures of the crawl page, `assets/` what the browser loads: plain modules
and styles, no build step, nothing from outside. There is no logic of search, crawl or geography
here.
"""
