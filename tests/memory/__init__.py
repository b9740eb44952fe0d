"""An index in memory: an honest second implementation of what an index promises.

Written for reading, over plain lists and dictionaries, so that the contract suite says what every
implementation does and not what Tantivy happens to do.
"""
