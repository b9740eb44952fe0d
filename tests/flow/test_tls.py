"""A crawl over TLS: the certificate of the server is checked, and so is its name.

The PostgreSQL of the wheel has no TLS; `make postgres` runs this on one that has.
"""

import os
import re
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.state.base import Beginning, Writing, create_state, open_state
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer, find_programs
from geoscout_places.errors import UsageError
from tests.conftest import PROJECT
from tests.postgres import DATABASE, running_server

pytestmark = pytest.mark.slow

CERTIFICATE = PROJECT / "tests/fakeweb/certificate.pem"  # for trusted.test, with its key


def has_tls() -> bool:
    programs = Path(os.environ.get("POSTGRES_PROGRAMS") or find_programs())
    config = [str(programs / "pg_config"), "--configure"]
    said = subprocess.run(config, capture_output=True, text=True, check=True).stdout
    return bool(re.search("with-(openssl|ssl)", said))


@pytest.fixture
def secure():
    """A server that takes TLS."""
    if not has_tls():
        pytest.skip("this PostgreSQL has no TLS")
    with running_server() as server:
        key = server.folder / "key.pem"
        shutil.copy(CERTIFICATE, key)
        key.chmod(0o600)
        shutil.chown(key, server.folder.owner())
        server.stop()
        server._options |= {"ssl": "on", "ssl_cert_file": str(key), "ssl_key_file": str(key)}
        server.start()
        yield server


def over_tls(server: LocalServer, host: str, root: Path) -> str:
    where = server.address(DATABASE, "secure").replace("127.0.0.1", host)
    return f"{where}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={root}"


def test_a_crawl_is_kept_over_tls_and_a_wrong_server_is_refused(secure, tmp_path):
    where = over_tls(secure, "trusted.test", CERTIFICATE)
    create_state(where, Beginning(archive=str(tmp_path)), Writing()).close()
    with open_state(where) as crawl, closing(connect(where)) as connection:
        query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        assert connection.execute(query).fetchone() == (True,)
        assert not crawl.reader.is_running()

    with pytest.raises(UsageError, match=r"no secure connection.*does not match host name"):
        connect(over_tls(secure, "other.test", CERTIFICATE))
    with pytest.raises(UsageError, match=r"no secure connection.*root certificate file"):
        connect(over_tls(secure, "trusted.test", tmp_path / "missing.crt"))
