#!/bin/sh
# Write requirements.lock from pyproject.toml: every package for Python 3.11 to 3.13 on Linux, macOS
# and Windows, with checksums and without the address of any index. Versions that the lock already
# holds are kept while they fit; remove the lock first to move all of them up. PYTHON is any Python
# that can run uv (default: python3).
set -eu
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"${PYTHON:-python3}" -m venv "$tools"
"$tools/bin/python" -m pip --disable-pip-version-check install --quiet uv
# uv keeps the versions of the file that it writes; the copy makes sure that a failure leaves the
# old lock whole.
if [ -f requirements.lock ]; then
    cp requirements.lock "$tools/requirements.lock"
fi
"$tools/bin/uv" pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
    --generate-hashes --no-emit-index-url --no-header --quiet -o "$tools/requirements.lock"
cp "$tools/requirements.lock" requirements.lock.new
mv requirements.lock.new requirements.lock
