"""Location-specific crawling after Kozanidis, Stamou and Spiros (2009)."""
