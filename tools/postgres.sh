#!/bin/sh
# Prints the folder of the programs of PostgreSQL (initdb, postgres) that the system's packages have,
# the newest there is, and installs Debian's first where there is none.
set -e
find_programs() {
    for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
        if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then
            echo "$folder"
            return 0
        fi
    done
    return 1
}
if ! find_programs; then
    command -v apt-get >/dev/null || { echo "install PostgreSQL's server first" >&2; exit 1; }
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    # Without a cluster of its own: the tests make theirs, and nothing is left running.
    $as_root mkdir -p /etc/postgresql-common/createcluster.d
    echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.d/none.conf >/dev/null
    $as_root apt-get install -y --no-install-recommends postgresql >&2
    find_programs
fi
