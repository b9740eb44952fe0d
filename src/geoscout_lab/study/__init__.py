"""A study: every strategy on every world, each finished run kept at once."""
