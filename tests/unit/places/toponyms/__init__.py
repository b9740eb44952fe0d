"""Tests of the reading of place names."""
