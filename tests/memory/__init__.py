"""An index and a frontier in memory: honest second implementations of what they promise.

Written for reading, over plain lists and dictionaries, so that the contract suite says what every
implementation does and not what one library happens to do.
"""
