"""What the geoparser asks of each name it meets for the first time, in a file that is mapped.

| module | has |
|---|---|
| `file.py` | the file: named parts, mapped into memory |
| `layout.py` | the records in it |
| `strings.py` | finds the row of a string |
| `places.py` | places, the bearers of names, postal codes, and the automaton |

A question takes one or two microseconds, five times less than of SQLite, and processes share the
pages; see docs/why/gazetteer-file.md. `build/arrays.py` writes the file.
"""
