"""Let programs with language models search crawls, by the Model Context Protocol.

Speaks on standard input and output, as such programs start their servers; with --port on HTTP at
/mcp, on loopback, or elsewhere with --token-file. Tools only read. With --control crawls can be
started and stopped, each with at most --max-pages responses.
"""

from __future__ import annotations

import argparse
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command
from geoscout.cli.commands.serve import address, check_token, flags_for_crawls, listen, read_token
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.settings import Settings
from geoscout.sql import limit_queries
from geoscout_places.extras import require

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp

EXAMPLE = "  geoscout mcp oldenburg\n  geoscout mcp crawls --control --max-pages 500 --port 8735"
_QUERY_SECONDS = 60.0  # that one query of a crawl's database may take


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="+", metavar="DIR", help="crawls by folder or address, or folders of them"
    )
    parser.add_argument(
        "--control", action="store_true", help="crawls may be started and stopped, too"
    )
    parser.add_argument(
        "--max-pages", type=int, default=1000, help="most responses of one (default: 1000)"
    )
    parser.add_argument("--port", type=int, help="speak HTTP on this port; 0 picks a free one")
    parser.add_argument("--host", default="127.0.0.1", help="address for --port")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="file with the secret")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    require("to speak MCP", "mcp", "mcp")
    from geoscout.web.control.running import Launcher  # noqa: PLC0415 - slow to import, as are
    from geoscout.web.model_tools import create_server  # noqa: PLC0415 - the next two
    from geoscout.web.site import open_site  # noqa: PLC0415

    if arguments.token_file is not None:
        settings = replace(settings, token=read_token(arguments.token_file))
    if arguments.port is not None:
        check_token(arguments.host, settings.token)
    site = open_site(arguments.folder, gazetteer_for(settings), settings)
    limit_queries(_QUERY_SECONDS)
    launcher = Launcher(flags_for_crawls(arguments, settings)) if arguments.control else None
    server = create_server(site, launcher, arguments.max_pages)
    try:
        if arguments.port is None:
            server.run("stdio")
        else:
            _serve(server, listen(arguments.host, arguments.port), settings)
    finally:
        site.close()
    return 0


def _serve(server: MCPServer, listening: socket.socket, settings: Settings) -> None:
    """Speak HTTP until Ctrl-C."""
    import uvicorn  # noqa: PLC0415 - slow to import

    from geoscout.web.protocol import server_options  # noqa: PLC0415

    options = server_options(is_access_logged=settings.log_level == "debug")
    tell(f"{address(listening)}mcp")
    with suppress(KeyboardInterrupt):  # the usual end, which was asked for
        uvicorn.Server(uvicorn.Config(guarded(server, settings), **options)).run([listening])


def guarded(server: MCPServer, settings: Settings) -> ASGIApp:
    """The server as an application behind the guard of `geoscout serve`.

    The guard looks at names and tokens. Each call stands for itself: there are no sessions.
    """
    from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

    from geoscout.web.guard import Guard, Rules  # noqa: PLC0415

    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=security
    )
    names = frozenset(name.lower() for name in settings.server_names)
    return Guard(app, Rules(settings.token, names))


COMMANDS = {"mcp": Command(__doc__ or "", EXAMPLE, add_arguments, run)}
