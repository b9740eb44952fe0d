"""Reads files that users have into tables the gazetteer is built from.

GeoNames dumps, alternate names and postal codes, TIGER/Line roads, and lists of streets. Start at
`run.import_file`, or at `several.import_files` for many. To add a format, start from
`GeonamesPostalCodes` and add it to `formats.IMPORTERS`, or to a package of your own
(docs/extend/plugins.md). See docs/gazetteer-import.md for the files themselves.
"""

from geoscout_places.gazetteer.imports.base import Importer, ImportReport, Rejection
from geoscout_places.gazetteer.imports.folder import ImportedTable, list_imports
from geoscout_places.gazetteer.imports.formats import IMPORTERS
from geoscout_places.gazetteer.imports.run import import_file
from geoscout_places.gazetteer.imports.several import FileImport, import_files

__all__ = [
    "IMPORTERS",
    "FileImport",
    "ImportReport",
    "ImportedTable",
    "Importer",
    "Rejection",
    "import_file",
    "import_files",
    "list_imports",
]
