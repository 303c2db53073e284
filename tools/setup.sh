#!/usr/bin/env bash
# Sets up .venv; does nothing when what it was made from has not changed.
#
#   tools/setup.sh runtime    what running and playing need
#   tools/setup.sh dev        and what checks and tests need
set -euo pipefail
cd "$(dirname "$0")/.."

what="${1:?runtime or dev}"
venv=.venv

good_python() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if good_python "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  echo "Cheeseboard needs Python 3.11 or newer; found $(python3 --version 2>&1 || echo none)." >&2
  echo "Install it (Debian: apt-get install python3 python3-venv; macOS: brew install python)." >&2
  return 1
}

sum_of() { cat "$@" | cksum | tr ' ' '-'; }

pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input --quiet "$@"; }

# The commands of an environment name its place: one that was moved or copied is of no use.
usable_venv() {
  good_python "$venv/bin/python" && grep -qs "^#!$(readlink -f "$venv")/bin/python" "$venv/bin/pip"
}

make_venv() {
  local python
  python="$(find_python)"
  echo "Making $venv with $("$python" --version)…"
  if ! "$python" -m venv --clear "$venv"; then
    echo "Making a virtual environment failed (Debian: apt-get install python3-venv)." >&2
    return 1
  fi
}

install_runtime() {
  echo "Installing what it runs on (once, about a minute)…"
  pip install -r requirements/runtime.txt -r requirements/build.txt
  while read -r line; do
    case "$line" in ''|'#'*) continue ;; esac
    pip install --no-deps --only-binary :all: "$line" 2>/dev/null || echo "Without ${line%%==*}: no wheel for this machine."
  done <requirements/optional.txt
  pip install --no-deps --no-build-isolation --editable .
}

install_dev() {
  echo "Installing what checks and tests need (once)…"
  pip install -r requirements/dev.txt
}

# A stamp says from what a part was installed; it lies inside, so that it goes with the environment.
fresh() { [ -f "$venv/stamp-$1" ] && [ "$(cat "$venv/stamp-$1")" = "$2" ]; }

runtime_sum="$(sum_of requirements/runtime.txt requirements/build.txt requirements/optional.txt pyproject.toml tools/setup.sh)"
if ! fresh runtime "$runtime_sum" || ! usable_venv; then
  usable_venv || make_venv
  install_runtime
  echo "$runtime_sum" >"$venv/stamp-runtime"
fi

if [ "$what" = dev ]; then
  dev_sum="$(sum_of requirements/dev.txt)-$runtime_sum"
  if ! fresh dev "$dev_sum"; then
    install_dev
    echo "$dev_sum" >"$venv/stamp-dev"
  fi
fi
