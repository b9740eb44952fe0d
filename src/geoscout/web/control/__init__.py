"""Control of crawls from the pages and by REST: who may, what is checked, and what is started.

`access.py` decides who may. `standing.py` asks something of a crawl that is there, `new_crawl.py`
checks what is wanted of a new one, `regions.py` and `seed_check.py` look at parts of it, and
`launching.py` starts processes. The endpoints are in `web/api/control.py`.
"""
