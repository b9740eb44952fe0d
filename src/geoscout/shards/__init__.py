"""Pages with their texts for the Open Web Index (`owi.py`), and from it (`owi_reading.py`).

The format of `geoscout export` needs the text of pages, which the store keeps only in its archive.
"""
