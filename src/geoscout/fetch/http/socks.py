"""Connections through a SOCKS5 proxy, each to a checked address where we look up the names.

The only module that knows the library, an extra. TLS is spoken with the host itself: its name is
the one that its certificate must have, also where the proxy is given the address.
"""

import asyncio
import socket
import ssl as tls
from typing import Any

import python_socks
from aiohttp.client_proto import ResponseHandler
from aiohttp_socks import ProxyConnector
from python_socks.async_.asyncio._resolver import Resolver
from python_socks.async_.asyncio.v2 import Proxy as SocksProxy

from geoscout.fetch.http.addresses import AddressBook
from geoscout.fetch.http.rules import Proxy
from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError

_REFUSED_BY_RULE, _CONNECTION_REFUSED = 2, 5  # replies of a proxy, RFC 1928, 6


class _CheckedNames(Resolver):
    """Gives the library the one address that was checked."""

    def __init__(self, addresses: AddressBook) -> None:
        super().__init__(asyncio.get_running_loop())
        self._addresses = addresses

    async def resolve(
        self,
        host: str,
        port: int = 0,  # noqa: ARG002
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 - it is the address's
    ) -> tuple[socket.AddressFamily, str]:
        address = await self._addresses.address(host)
        return (socket.AF_INET6 if ":" in address else socket.AF_INET), address


class _Tunnel(SocksProxy):
    """The way to one host."""

    def __init__(self, proxy: Proxy, addresses: AddressBook) -> None:
        super().__init__(
            python_socks.ProxyType.SOCKS5, proxy.host, proxy.port,
            proxy.user or None, proxy.password or None, rdns=proxy.looks_up_names,
        )  # fmt: skip
        self._resolver = _CheckedNames(addresses)  # asked only where `rdns` is off


class _Protocol(ResponseHandler):
    """Keeps the writer: Python closes the connection of one that nobody has any more."""

    def __init__(self, loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter) -> None:
        super().__init__(loop)
        self.writer_kept = writer


class SocksConnections(ProxyConnector):
    """A connector of aiohttp that asks a SOCKS5 proxy for its connections."""

    def __init__(self, proxy: Proxy, addresses: AddressBook, **options: Any) -> None:
        super().__init__(proxy.host, proxy.port, **options)
        self._proxy, self._addresses = proxy, addresses

    async def _connect_via_proxy(
        self, host: str, port: int, ssl: tls.SSLContext | None = None, timeout: float | None = None
    ) -> Any:
        tunnel = _Tunnel(self._proxy, self._addresses)
        try:
            stream = await tunnel.connect(host, port, dest_ssl=ssl, timeout=timeout)
        except python_socks.ProxyConnectionError as error:
            raise failure("proxy", str(error)) from error
        except python_socks.ProxyTimeoutError as error:
            raise failure("connect-timeout", str(error)) from error
        except python_socks.ProxyError as error:
            raise _told(error) from error
        transport = stream.writer.transport
        protocol = _Protocol(self._loop, stream.writer)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        return transport, protocol


def _told(error: python_socks.ProxyError) -> FetchError:
    if error.error_code is None:
        return failure("proxy", str(error))  # no reply, or not to our name and password
    if error.error_code == _REFUSED_BY_RULE:
        return failure("proxy-refused", str(error))
    kind = "refused" if error.error_code == _CONNECTION_REFUSED else "unreachable"
    return failure(kind, str(error))
