#!/bin/sh
# Installs what `make browser` and `make screenshots` need where it is missing: chromium, or a browser
# of its kind, and axe-core, which checks that everybody can use the pages. Both are for tests only.
set -e
AXE=4.14.0
root=""
if [ "$(id -u)" != 0 ]; then root="sudo"; fi
missing=""
browser=""
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then browser="$name"; fi
done
if [ -z "$browser" ]; then missing="chromium fonts-dejavu-core"; fi
if ! command -v npm >/dev/null 2>&1; then missing="$missing npm"; fi
if [ -n "$missing" ]; then
    $root apt-get update -q
    # shellcheck disable=SC2086
    $root apt-get install -q -y --no-install-recommends $missing
fi
if [ "$(cat .cache/axe/version 2>/dev/null)" != "$AXE" ]; then
    mkdir -p .cache/axe
    npm install --silent --no-audit --no-fund --no-save --prefix .cache/axe "axe-core@$AXE"
    echo "$AXE" > .cache/axe/version
fi
