"""A crawl in memory: an honest second implementation of what a store and a state promise.

Written for reading, over plain lists and dictionaries, so that the contract suites say what every
implementation does and not what SQLite happens to do.
"""
