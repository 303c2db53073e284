#!/usr/bin/env bash
# Fails when the contracts break what the last release promised (protos/baseline.binpb, written by `make baseline`).
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -f protos/baseline.binpb ]; then
  .venv/bin/buf breaking protos --against protos/baseline.binpb
else
  echo "No release yet (protos/baseline.binpb): nothing can be broken."
fi
