"""Serve a web page and a REST API: search on a map, live dashboard, pages, comparisons.

Listens on loopback only. To let other machines in, give --host and a --token-file. With the second
address that is printed, crawls can be started, stopped and resumed from the pages, unless
--set control=no forbids it.
"""

import argparse
import ipaddress
import logging
import secrets
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType

from geoscout.cli.command import Command
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.settings import Settings
from geoscout.sql import limit_queries
from geoscout_places.errors import GeoscoutError, UsageError, last_line

EXAMPLE = "  geoscout serve austin\n  geoscout serve austin reports --port 9000"
PORT = 8734
_LEAST_TOKEN = 16  # letters
_QUERY_SECONDS = 60.0  # that one query of a crawl's database may take
_LAST_QUERY_SECONDS = 0.5  # the same once the server is to end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        nargs="+",
        metavar="DIR",
        help="crawls by folder or address, reports, or folders of them",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: loopback)"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port (default: {PORT}; 0 picks a free one)"
    )
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help="file with the secret, which nobody sees"
    )
    parser.add_argument(
        "--server-name",
        action="append",
        dest="server_names",
        metavar="NAME",
        help="a name under which clients reach the server, such as search.example.org; may be"
        " repeated (without a token only localhost and these are answered)",
    )
    parser.add_argument(
        "--tiles",
        metavar="URL|FILE",
        help="streets for the map: a PMTiles file, or the URL of tiles with {z}, {x} and {y}",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.token_file is not None:
        settings = replace(settings, token=read_token(arguments.token_file))
    check_token(arguments.host, settings.token)
    flags = flags_for_crawls(arguments, settings)
    serve(arguments.folder, arguments.host, arguments.port, settings, flags)
    return 0


def flags_for_crawls(arguments: argparse.Namespace, settings: Settings) -> list[str]:
    """What gives crawls that are started from here the settings of this process."""
    flags = [f"--home={Path(settings.home).resolve()}"] if settings.home else []
    if arguments.settings is not None:
        flags.append(f"--settings={arguments.settings.resolve()}")
    return flags


def read_token(file: Path) -> str:
    """The token in a file, without the end of its line."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the token in {file}: {error}") from error
    if not token:
        raise UsageError(f"there is no token in {file}")
    return token


def check_token(host: str, token: str) -> None:
    """Demand a token where others than this machine can reach us."""
    if not token and not is_loopback(host):
        raise UsageError(
            f"--host {host} is reachable by others: give --token-file or GEOSCOUT_TOKEN"
        )
    if token and len(token) < _LEAST_TOKEN:
        raise UsageError(f"the token is too easily guessed: give {_LEAST_TOKEN} letters or more")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens on this address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    addresses: Sequence[Path | str],
    host: str,
    port: int,
    settings: Settings,
    flags: Sequence[str] = (),
) -> None:
    """Serve until Ctrl-C; crawls that are started from the pages get these `flags`."""
    import uvicorn  # noqa: PLC0415 - like the rest it is slow to import

    from geoscout.web.app import create_app, tile_origin  # noqa: PLC0415
    from geoscout.web.control.access import ControlRules  # noqa: PLC0415
    from geoscout.web.control.running import Launcher  # noqa: PLC0415
    from geoscout.web.guard import Rules  # noqa: PLC0415
    from geoscout.web.protocol import server_options  # noqa: PLC0415
    from geoscout.web.site import open_site  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    site = replace(open_site(addresses, gazetteer, settings), keeps_directories=True)
    limit_queries(_QUERY_SECONDS)
    for crawl in site.crawls.values():
        try:
            with crawl.open():  # only a look: the index is made while we listen
                pass
        except GeoscoutError as error:
            if len(site.crawls) == 1:
                raise
            tell(f"{crawl.name} cannot be shown: {last_line(error)}", logging.WARNING)
    names = frozenset(name.lower() for name in settings.server_names)
    rules = Rules(
        settings.token,
        names,
        image_sources=tile_origin(settings.tiles),
        per_minute=settings.requests_per_minute,
    )
    listening = listen(host, port)
    key = "" if settings.token else secrets.token_urlsafe(18)
    control = ControlRules(settings.control, key, is_local=is_loopback(host), names=names)
    launcher = Launcher(flags)

    class Telling(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            """Tell the address when signals are heard: one that comes before could get lost."""
            await super().startup(sockets)
            where = address(listening)
            tell(f"{where}?token=… with the token you gave" if settings.token else where)
            if settings.control and key:
                tell(f"to start and stop crawls: {where}#key={key}")

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Let no query keep the server from ending."""
            limit_queries(_LAST_QUERY_SECONDS)
            super().handle_exit(sig, frame)

    options = server_options(is_access_logged=settings.log_level == "debug")
    config = uvicorn.Config(create_app(site, rules, control, launcher), **options)
    with suppress(KeyboardInterrupt):  # the usual end, which was asked for
        Telling(config).run(sockets=[listening])
    if launcher.running:
        tell(f"{launcher.running} of the crawls that were started here go on; serve stops them")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; opened by us, so that its port is known before the server runs."""
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128
        )
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error}") from error


def address(listening: socket.socket) -> str:
    """Where a browser finds the server."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


COMMANDS = {
    "serve": Command(__doc__ or "", EXAMPLE, add_arguments, run),
}
