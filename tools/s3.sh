#!/bin/sh
# Installs what `make s3` needs into .cache/s3/venv: geoscout, a server that speaks S3, and s3fs.
# They are apart from the other tests because they bring some fifty packages.
set -e
cd "$(dirname "$0")/.."
venv="$PWD/.cache/s3/venv"
[ -e "$venv/.installed" ] && [ "$venv/.installed" -nt pyproject.toml ] && exit
sh tools/install.sh "$venv" tools/locks/s3.lock
touch "$venv/.installed"
