"""Kozanidis, Stamou and Spiros 2009, location-specific content: measures and tables."""
