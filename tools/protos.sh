#!/usr/bin/env bash
# Generates the code in protos/, always with the same generators and so always the same bytes.
#
#   tools/protos.sh            writes it
#   tools/protos.sh --check    fails, and says which, when what is committed is not what would be written
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-protos
sum="$(cksum <requirements/protos.txt)"
if [ "$(cat "$venv/stamp" 2>/dev/null || true)" != "$sum" ]; then
  echo "Setting up the generators in $venv (once)…"
  # Of the interpreter that .venv was made with; generators need an environment of their own (protobuf < 7).
  .venv/bin/python -m venv --clear "$venv"
  "$venv/bin/python" -m pip --disable-pip-version-check --no-input --quiet install -r requirements/protos.txt
  echo "$sum" >"$venv/stamp"
fi

generate() {
  # The plugins are found on PATH.
  (cd protos && find cheeseboard -name '*.proto' | LC_ALL=C sort) | PATH="$PWD/$venv/bin:$PATH" xargs \
    "$venv/bin/python" -m grpc_tools.protoc -I protos \
    --python_out="$1" --grpc_python_out="$1" --mypy_out=quiet:"$1" --mypy_grpc_out=quiet:"$1"
}

generated() { (cd "$1" && find cheeseboard -name '*_pb2*.py' -o -name '*_pb2*.pyi' | LC_ALL=C sort); }

if [ "${1:-}" = --check ]; then
  fresh="$(mktemp -d)"
  trap 'rm -rf "$fresh"' EXIT
  generate "$fresh"
  if ! diff <(generated "$fresh") <(generated protos) || ! (cd "$fresh" && for file in $(generated .); do
    cmp "$file" "$OLDPWD/protos/$file" || exit 1
  done); then
    echo "Generated code is stale: run 'make protos' and commit what it writes." >&2
    exit 1
  fi
else
  generated protos | (cd protos && xargs -r rm --)
  generate protos
fi
