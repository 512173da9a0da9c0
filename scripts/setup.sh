#!/bin/sh
# Make .venv from requirements.lock, unless it is already there and fits. `make` calls this before
# everything that needs Python. PYTHON names the interpreter; without it the newest fitting one on
# the path is taken.
#
# .venv/wordgames-setup says what .venv was made from, or that it was never finished. It is made
# anew when the lock, pyproject.toml, the folder's path or the wanted Python changed, or when its
# Python is gone. A .venv without that file is somebody's own: it is completed, not removed.
# .venv/wordgames-compiled says which sources were compiled last: those of another state, as after
# an update, are compiled before they are used.
set -eu
cd "$(dirname "$0")/.."

# Settings of the user's that would put packages elsewhere or resolve them anew. What names an index,
# a proxy or a cache stays.
unset PIP_TARGET PIP_PREFIX PIP_ROOT PIP_CONSTRAINT PIP_BUILD_CONSTRAINT PIP_REQUIREMENT PIP_EDITABLE \
    PIP_DRY_RUN PIP_IGNORE_INSTALLED PIP_NO_BINARY PIP_PYTHON PYTHONHOME PYTHONPATH
export PIP_USER=0 PIP_REQUIRE_HASHES=0 PIP_REQUIRE_VIRTUALENV=0

venv=.venv
python=$venv/bin/python
stamp=$venv/wordgames-setup
compiled=$venv/wordgames-compiled
lock=.setup-running
version_of='import sys; print("%d.%d" % sys.version_info[:2])'

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

# Whether a version such as 3.12 is one that this project runs on.
fits() {
    case $1 in 3.11 | 3.12 | 3.13) true ;; *) false ;; esac
}

version() {
    "$1" -c "$version_of" 2>/dev/null </dev/null
}

has_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null </dev/null
}

# Sets $base to the interpreter to make .venv with.
find_python() {
    seen=''
    for base in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3 python; do
        found=$(version "$base") || found=''
        if [ -n "$found" ] && fits "$found" && has_venv "$base"; then
            return
        fi
        if [ -n "${PYTHON:-}" ]; then
            [ -n "$found" ] || fail "PYTHON=$PYTHON is no Python that runs"
            fits "$found" || fail "PYTHON=$PYTHON is Python $found: this project needs 3.11, 3.12 or 3.13"
            no_venv "$base" "$found"
        fi
        if [ -n "$found" ]; then
            seen="$seen $base ($found)"
            ! fits "$found" || without="${without:-$base $found}"
        fi
    done
    if [ -n "${without:-}" ]; then
        no_venv $without
    fi
    fail "this project needs Python 3.11, 3.12 or 3.13; found:${seen:- no Python at all}" \
        "install one, or name one that is not on the path: make setup PYTHON=/path/to/python3.13"
}

no_venv() {
    fail "$1 is Python $2 but cannot make virtual environments (venv or ensurepip is missing)" \
        "on Debian and Ubuntu: sudo apt install python$2-venv"
}

wanted() {
    printf '%s\n' "$(cksum <requirements.lock) $(cksum <pyproject.toml) $(pwd -P)"
}

sources() {
    find wordgames -name '*.py' -exec cksum {} + | LC_ALL=C sort | cksum
}

up_to_date() {
    [ -f "$compiled" ] && [ "$(cat "$compiled")" = "$(sources)" ]
}

compile() {
    echo "setup: compiling, so that the first start is as quick as the others"
    state=$(sources)
    # Some packages ship templates or tests that are no valid Python; they are never imported.
    PYTHONWARNINGS=ignore "$python" -m compileall -q -q -j 0 "$@" wordgames || true
    "$python" -m wordgames warm
    printf '%s\n' "$state" >"$compiled"
}

runs() {
    [ -x "$python" ] && now=$(version "$python") && fits "$now" && "$python" -m pip --version >/dev/null 2>&1
}

ready() {
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && now=$(version "$python") || return 1
    [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$now" ]
}

# Two set-ups at once, as from two terminals, would each remove what the other makes.
wait_for_others() {
    told=''
    until (set -C && echo $$ >"$lock") 2>/dev/null; do
        [ -w . ] || fail "cannot write into $(pwd)"
        [ -n "$told" ] || echo "setup: waiting for another set-up to end (none? then remove $lock)"
        told=yes
        sleep 1
        other=$(cat "$lock" 2>/dev/null) || continue
        [ -n "$other" ] && kill -0 "$other" 2>/dev/null || rm -f "$lock"
    done
    trap 'rm -f "$lock"' EXIT
    trap 'exit 130' INT TERM HUP
}

if ready && up_to_date; then
    exit 0
fi
for file in requirements.lock pyproject.toml; do
    [ -f "$file" ] || fail "$file is missing: get a complete copy of the repository"
done

wait_for_others
if ready; then
    up_to_date || compile
    exit 0
fi
if [ -d "$venv" ] && [ ! -f "$stamp" ] && [ -z "${PYTHON:-}" ] && runs; then
    echo "setup: completing the $venv that is here (Python $now)"
else
    find_python
    echo "setup: making $venv with Python $found ($base); this takes a minute or two"
    # Said before anything is removed, so that an interruption cannot pass for a finished set-up.
    [ ! -d "$venv" ] || echo unfinished >"$stamp"
    rm -rf "$venv"
    mkdir "$venv"
    echo unfinished >"$stamp"
    "$base" -m venv "$venv"
fi

# The lock names every package with its checksum, the build backend too, so nothing is resolved
# and nothing is built: --no-deps, and `pip check` afterwards that nothing is missing.
pip="$python -m pip --disable-pip-version-check"
$pip install --no-deps --no-compile --require-hashes -r requirements.lock
$pip install --no-deps --no-compile --no-build-isolation --quiet --editable .
$pip check
# JupyterLab would ask the network for news and updates.
settings=$venv/share/jupyter/lab/settings
mkdir -p "$settings"
printf '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}\n' \
    >"$settings/overrides.json"
compile "$venv/lib"
wanted >"$stamp"
echo "setup: done"
