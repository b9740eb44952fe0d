"""A synthetic web whose truth is known, rendered on demand, written as WARC or served."""
