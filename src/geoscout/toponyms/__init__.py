"""The one reader of place names, for geo, strategy, collaborate and search."""
