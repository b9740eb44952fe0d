"""A study as a page, as curves and as pictures."""
