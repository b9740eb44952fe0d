"""A crawl put together: what was asked for, the parts that do it, and where a response leads."""
