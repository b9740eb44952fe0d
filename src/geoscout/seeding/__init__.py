"""Finds seeds for a region in files that people have: maps, catalogues, lists of URLs and hosts.

Start at `gather.gather_seeds`. Each module of `sources/` reads one kind of file and gives hints: a
URL, and what the file says of where it is. `ranking` counts the hints of a site and says how
local it is, and why. Nothing is asked of any server, unless a user names one (`services`).
"""
