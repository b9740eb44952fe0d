"""The structure of a synthetic web: cities, hosts, pages, links and noise as arrays; no words."""
