"""One file for each country: each has a `create`, and the registry finds it by that."""
