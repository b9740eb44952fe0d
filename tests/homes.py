"""Home folders of tests that need one of their own, but not a gazetteer of their own."""

from pathlib import Path

from geoscout.settings import Settings
from geoscout_places.gazetteer.home import compiled_file
from geoscout_places.gazetteer.tables import arrays_of


def home_with_gazetteer(folder: Path, settings: Settings) -> Path:
    """Make a folder a home with the gazetteer that is built already; building takes a minute."""
    folder.mkdir(exist_ok=True)
    built = compiled_file(settings)
    for file in (built, arrays_of(built)):
        (folder / file.name).symlink_to(file)
    return folder
