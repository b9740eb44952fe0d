#!/bin/sh
# Checks the files in deploy/ by hadolint and the schemas of Compose, Kubernetes and systemd, the
# settings of Renovate and the workflows of GitHub by theirs.
# systemd's checker is used where it is installed; `make deploy` installs the others.
set -e
cd "$(dirname "$0")/.."
checkers=.cache/deploy/venv
"$checkers/bin/hadolint" deploy/Containerfile
"$checkers/bin/check-jsonschema" --builtin-schema vendor.compose-spec deploy/compose.yaml
"$checkers/bin/check-jsonschema" --builtin-schema vendor.renovate .github/renovate.json
"$checkers/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
"$checkers/bin/kubernetes-validate" --strict deploy/kubernetes.yaml
if command -v systemd-analyze >/dev/null 2>&1; then
    # The program need not be installed here; anything else that it says is a mistake.
    said=$(systemd-analyze verify deploy/geoscout-worker@.service 2>&1 | grep -v "is not executable") || true
    [ -z "$said" ] || { echo "$said"; exit 1; }
fi
