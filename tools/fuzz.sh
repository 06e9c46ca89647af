#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time, one after the other.
set -euo pipefail
each=$1
grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' internal cmd test | sort |
  while IFS=: read -r file match; do
    target=${match#func }
    printf '\n-- %s in %s\n' "$target" "$(dirname "$file")"
    go test -run '^$' -fuzz "^${target}\$" -fuzztime "$each" "./$(dirname "$file")"
  done
