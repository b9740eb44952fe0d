"""Generate a synthetic web with known relevant pages; write it as WARC or serve it on loopback."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command, add_option
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

if TYPE_CHECKING:
    from geoscout_lab.worlds.synthetic import SyntheticWeb

EXAMPLE = (
    "  geoscout synthweb berlin --profile ahlers2009 --pages 30000 --random-seed 7\n"
    "  geoscout crawl --region Berlin --seeds berlin/seeds.txt --replay berlin --out found"
)


def create() -> Command:
    return Command(
        __doc__ or "",
        EXAMPLE,
        add_arguments,
        run,
        summary="generate a synthetic web with known relevant pages",
        listed_before="classifier",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="a new folder")
    parser.add_argument(
        "--profile",
        default="ahlers2009",
        metavar="P",
        help="ahlers2009, web2025, usa2006 or gao2006",
    )
    parser.add_argument(
        "--pages", type=int, default=0, metavar="N", help="number of URLs (default: the profile's)"
    )
    parser.add_argument(
        "--random-seed", type=int, default=1, metavar="K", help="the same number gives the same web"
    )
    add_option(parser, "city", str, "the city whose pages are relevant", default="")
    parser.add_argument(
        "--serve", action="store_true", help="serve it on loopback instead of writing archives"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.terminal import gazetteer_for, print_json  # noqa: PLC0415
    from geoscout_lab.worlds.synthetic import WebPlan, make_web  # noqa: PLC0415
    from geoscout_lab.worlds.synthetic.serving import about  # noqa: PLC0415

    if arguments.out.exists() and any(arguments.out.iterdir()):
        raise UsageError(f"{arguments.out} is not empty; give a new folder")
    plan = WebPlan(arguments.profile, arguments.random_seed, arguments.pages, arguments.city)
    web = make_web(plan, gazetteer_for(settings))
    if arguments.serve:
        import asyncio  # noqa: PLC0415

        return asyncio.run(_serve(web, arguments.out))
    _write(web, arguments.out)
    facts = about(web)
    if arguments.json:
        print_json(facts)
    else:
        print(f"{arguments.out}: {facts['pages']} pages, {facts['relevant']} about {web.region}")
    return 0


def _write(web: SyntheticWeb, folder: Path) -> None:
    from geoscout.cli.show.terminal import counting  # noqa: PLC0415
    from geoscout_lab.worlds.synthetic.serving import write_web  # noqa: PLC0415

    with counting("writing", "pages") as progress:
        write_web(web, folder, progress)


async def _serve(web: SyntheticWeb, folder: Path) -> int:
    import asyncio  # noqa: PLC0415

    from geoscout_lab.worlds.synthetic.serving import host_names, serve_web, write_lists  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    async with serve_web(web) as served:
        write_lists(served.web, folder)
        names = sorted({name.partition(":")[0] for name in host_names(served.web)})
        lines = (f"{served.resolver.address(name)} {name}\n" for name in names)
        (folder / "hosts.txt").write_text("".join(lines))
        print(
            f"serving {served.web.size} pages on port {served.port}; seeds in"
            f" {folder / 'seeds.txt'}, names for a hosts file in {folder / 'hosts.txt'}",
            file=sys.stderr,
        )
        await asyncio.Event().wait()
    return 0
