"""Webs whose truth is known: synthetic ones, and archives that were read once."""
