"""Reads files that users have into tables the gazetteer is built from.

| module | has |
|---|---|
| `run.py` | one import from beginning to end, and the folder of imported tables |
| `geonames.py` | dumps, alternate names and postal codes of GeoNames |
| `streets.py` | streets: TIGER/Line, OpenAddresses, exports of OpenStreetMap, any CSV |
| `files.py` | what a user has, as streams of lines, rows of CSV, or shapes |
| `cells.py` | checks of single cells, and the codes of countries and regions |

To add a format, start from the postal codes in `geonames.py`. docs/gazetteer-import.md tells of the
files themselves.
"""

from geoscout_places.gazetteer.imports.run import (
    FORMATS,
    FileImport,
    ImportReport,
    Rejection,
    import_file,
    import_files,
)

__all__ = ["FORMATS", "FileImport", "ImportReport", "Rejection", "import_file", "import_files"]
