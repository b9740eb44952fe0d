#!/bin/sh
# A Ray cluster on loopback for tests: a head without processors, and machines with one processor
# each. Token authentication is on, dashboard and usage statistics are off. `make ray` installs it.
#
#   tools/ray.sh start [N]        a head and N machines (default 2); prints the address
#   tools/ray.sh kill N           kill -9 everything of machine N, counted from 1
#   tools/ray.sh stop             end what was started here, and nothing else
#
# The token is in .cache/ray/token: RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH=.cache/ray/token
set -e
cd "$(dirname "$0")/.."
folder="$PWD/.cache/ray"
venv="${RAY_VENV:-$folder/venv}"
host=127.0.0.2  # loopback; in place of 127.0.0.1 Ray takes an address that others can reach
port="${RAY_PORT:-6399}"
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH="$folder/token" RAY_USAGE_STATS_ENABLED=0
export RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO=0

# Each member is a session of its own, led by `ray start --block`, so that it can be killed whole.
member() {
    name="$1"
    shift
    setsid "$venv/bin/ray" start --block --node-ip-address "$host" --include-log-monitor false \
        --object-store-memory 100000000 "$@" \
        >"$folder/$name.log" 2>&1 </dev/null &
    echo $! >"$folder/$name.session"
}

wait_for() {
    waited=0
    until grep -q "Ray runtime started" "$folder/$1.log"; do
        waited=$((waited + 1))
        [ "$waited" -lt 300 ] || { echo "$1 did not start: $folder/$1.log" >&2; exit 1; }
        sleep 1
    done
}

start() {
    mkdir -p "$folder"
    [ -e "$folder/token" ] || (umask 077 && head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$folder/token")
    # Ray keeps sockets below --temp-dir, and their paths must be short.
    mkdir -p "${TMPDIR:-/tmp}/geoscout-ray"
    member head --head --port "$port" --include-dashboard false --num-cpus 0 --temp-dir "${TMPDIR:-/tmp}/geoscout-ray"
    wait_for head
    # One after another: machines that start at the same moment may take each other's ports.
    for n in $(seq "${1:-2}"); do
        member "machine-$n" --address "$host:$port" --num-cpus 1
        wait_for "machine-$n"
    done
    echo "$host:$port"
}

end_session() {
    file="$folder/$1.session"
    [ -e "$file" ] || return 0
    for process in $(ps -o pid= -s "$(cat "$file")"); do kill -9 "$process" 2>/dev/null || true; done
    rm -f "$file"
}

stop() {
    for file in "$folder"/*.session; do
        [ -e "$file" ] && end_session "$(basename "$file" .session)"
    done
    rm -rf "${TMPDIR:-/tmp}/geoscout-ray"
}

case "$1" in
    start) start "$2" ;;
    kill) end_session "machine-$2" ;;
    stop) stop ;;
    *) sed -n '2,9p' "$0"; exit 2 ;;
esac
