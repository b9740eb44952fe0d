"""Pages with their texts for other search engines, and from them.

Formats of `geoscout export` that need the text of pages, which the store keeps only in its archive:
OpenSearch and Elasticsearch (`opensearch.py`), the Open Web Index (`owi.py`). `owi_reading.py`
reads the shards of the Open Web Index.
"""
