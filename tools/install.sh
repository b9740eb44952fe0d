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
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    { echo "geoscout needs Python 3.11 or newer: SYSTEM_PYTHON=python3.12 make …" >&2; exit 2; }

# pip says nothing for minutes when it is quiet, and a screen for each package when it is not.
progress() {
    awk -v total="$2" -v what="$1" '
        /^(Collecting|Processing) / { got++; if (got % 10 == 0) { printf "  %s: %d of about %d\n", what, got, total; fflush() } }
        /^Installing collected/ { printf "  %s: unpacking\n", what; fflush() }
        /^ERROR|^error/ { print; fflush() }'
}

# A pipe hides the status of what stands before it, so that is kept in a file.
install() {
    failed="$venv/.failed"
    rm -f "$failed"
    { PYTHONUNBUFFERED=1 "$venv/bin/python" -m pip install --disable-pip-version-check --no-input \
        --progress-bar off --no-deps "$@" 2>&1 || touch "$failed"; } | progress "$what" "$total"
    if [ -e "$failed" ]; then
        echo "installing $what failed; the whole story: $venv/bin/python -m pip install --no-deps $*" >&2
        rm -f "$failed"
        exit 1
    fi
}

if command -v uv >/dev/null 2>&1; then
    uv venv -q --allow-existing --python "$python" "$venv"
    for lock in requirements.lock "$@"; do
        uv pip install -q --python "$venv/bin/python" --no-deps --require-hashes -r "$lock"
    done
    uv pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation -e .
    uv pip check -q --python "$venv/bin/python"
else
    "$python" -m venv "$venv"
    for lock in requirements.lock "$@"; do
        what="packages of $lock" total=$(grep -c '^[a-z0-9._-]*==' "$lock")
        echo "installing $what, pinned (a minute or two, once)"
        install --require-hashes -r "$lock"
    done
    what="geoscout, with its compiled parts" total=1
    echo "building $what (half a minute)"
    install --no-build-isolation -e .
    "$venv/bin/python" -m pip check --disable-pip-version-check
fi
