"""Derives the gazetteer tables that ship inside geoscout from pinned public packages.

Run it with ``python -m tools.derive``; see ``sources.py`` for what is read and
``ATTRIBUTION.md`` beside the tables for the licences.
"""
