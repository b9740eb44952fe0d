"""Fits the tables of weights that the geoparser ships; run by hand, not at install time."""
