"""A question read into words and a place, and the pages that answer it, ranked and explained."""
