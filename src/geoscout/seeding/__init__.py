"""Finds seeds for a region in files that people have: maps, catalogues, lists of URLs and hosts.

Start at `gather.gather_seeds`. `lists` and `maps` read the kinds of files and give hints: a URL,
and what the file says of where it is. `SiteRanking` counts the hints of a site and says how local
it is, and why. Nothing is asked of any server, unless a user names one (`maps.ask_service`).
"""
