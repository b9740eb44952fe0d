"""Labelled passages of ordinary web pages, and how well the geoparser finds the places in them."""
