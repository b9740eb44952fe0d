#!/bin/sh
# Makes the virtual environment VENV and installs requirements.lock, further locks and geoscout there:
#
#   sh tools/install.sh VENV [LOCK…]
#
# A lock is installed and never resolved: with --no-deps no release that came after it can change or
# break what it says, and the hashes refuse any file that is not the pinned one. The build of
# geoscout uses the pinned tools as well (--no-build-isolation). `pip check` then looks whether
# everything fits together. uv is used where it is present, because it is quicker.
set -e
venv=$1
shift
python="${SYSTEM_PYTHON:-python3}"
log="$venv/install.log"

is_new() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

is_new "$python" || {
    echo "geoscout needs Python 3.11 or newer, and $python is not: SYSTEM_PYTHON=python3.12 make …" >&2
    exit 2
}
[ ! -e "$venv/pyvenv.cfg" ] || is_new "$venv/bin/python" || {
    echo "$venv has no Python 3.11 or newer that runs: remove it (rm -r $venv) and try again" >&2
    exit 2
}

# pip says nothing for minutes when it is quiet, and a screen for each package when it is not.
# The shell reads line by line; awk may wait until it has 4096 bytes.
progress() {
    got=0
    while read -r line; do
        printf '%s\n' "$line" >>"$log"
        case $line in
            Collecting*) got=$((got + 1)); [ $((got % 10)) -ne 0 ] || echo "  $got of $1" ;;
            Installing\ collected*) echo "  unpacking" ;;
            ERROR* | error*) printf '%s\n' "$line" >&2 ;;
        esac
    done
}

# A pipe hides the status of what stands before it, so its success is a line of its own.
install() {
    { PYTHONUNBUFFERED=1 "$venv/bin/python" -m pip install --disable-pip-version-check --no-input \
        --progress-bar off "$@" 2>&1 && echo "pip is done"; } | progress "$total"
    [ "$(tail -n 1 "$log")" = "pip is done" ] || {
        echo "this failed: pip install $*; all that pip said is in $log" >&2
        exit 1
    }
}

if command -v uv >/dev/null 2>&1; then
    uv venv -q --allow-existing --python "$python" "$venv"
    for lock in requirements.lock "$@"; do
        uv pip install -q --python "$venv/bin/python" --no-deps --require-hashes -r "$lock"
    done
    uv pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation -e .
    uv pip check -q --python "$venv/bin/python"
else
    # Only where pip is missing, because venv would change the release of a pip that is there.
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv "$venv"
    : >"$log"
    for lock in requirements.lock "$@"; do
        total=$(grep -c '^[a-z0-9._-]*==' "$lock")
        echo "installing the $total packages of $lock (a minute or two, once)"
        install --no-deps --require-hashes -r "$lock"
    done
    echo "building geoscout and its compiled parts (half a minute)"
    install --no-deps --no-build-isolation -e .
    "$venv/bin/python" -m pip check --disable-pip-version-check
fi
