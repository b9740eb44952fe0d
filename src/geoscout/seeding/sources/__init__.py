"""Readers of the files that may hold seeds, one module for each kind."""
