#!/usr/bin/env bash
# Runs one stage of the tests: a heading, the command, and the time it took.
set -euo pipefail
name=$1
shift
printf '\n== %s\n' "$name"
start=$SECONDS
status=0
"$@" || status=$?
if ((status == 0)); then
  printf -- '-- %s: ok, %d s\n' "$name" $((SECONDS - start))
else
  printf -- '-- %s: FAILED (status %d), %d s\n' "$name" "$status" $((SECONDS - start))
fi
exit "$status"
