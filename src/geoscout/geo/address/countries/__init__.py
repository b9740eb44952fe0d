"""One file for each country: each has a `FORMAT`, and the registry finds it by that."""
