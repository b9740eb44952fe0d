"""A frontier in memory: an honest second implementation of what a frontier promises.

Written for reading, over plain lists and dictionaries, so that the contract suite says what every
implementation does and not what one library happens to do.
"""
