#!/usr/bin/env bash
# Fails where gofmt would change a file, and names it.
set -euo pipefail
changed=$(gofmt -l .)
if [[ -n $changed ]]; then
  printf 'run gofmt -w on:\n%s\n' "$changed"
  exit 1
fi
