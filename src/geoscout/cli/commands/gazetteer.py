"""The commands `gazetteer` and `place`: those of `geoscout-places` with the crawler's settings."""

import argparse

from geoscout.cli.command import Command, add_option, add_shared
from geoscout.cli.show.terminal import building, gazetteer_for, reading
from geoscout_places.command import (
    GAZETTEER,
    PLACE,
    Shown,
    add_gazetteer_arguments,
    add_place_arguments,
    run_gazetteer,
    run_place,
)


def _add_shared(action: argparse.ArgumentParser) -> None:
    if action.prog.endswith(" import"):
        about = "of the import of one file; an import of the same name is replaced"
        add_option(action, "name", str, about)
    add_shared(action, is_part=True)


COMMANDS = {
    "gazetteer": Command(
        GAZETTEER,
        "  geoscout gazetteer info\n  geoscout gazetteer import DE.zip AT.zip CH.zip",
        lambda parser: add_gazetteer_arguments(parser, _add_shared),
        lambda arguments, settings: run_gazetteer(arguments, settings, Shown(building, reading)),
    ),
    "place": Command(
        PLACE,
        '  geoscout place "Athens, Alabama"\n  geoscout place Lisbon --country PT --json',
        add_place_arguments,
        lambda arguments, settings: run_place(arguments, gazetteer_for(settings)),
    ),
}
