#!/bin/sh
# Installs chromium where no browser of its kind is found, for `make browser` and `make screenshots`.
set -e
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
root=""
if [ "$(id -u)" != 0 ]; then root="sudo"; fi
$root apt-get update -q
$root apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core
