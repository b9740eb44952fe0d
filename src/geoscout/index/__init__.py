"""The geo-referenced index: words, places and cells, built from the store's change log."""
