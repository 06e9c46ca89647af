#!/usr/bin/env bash
# Runs one stage of the tests: a heading, the command, and the time it took.
set -euo pipefail
name=$1
shift
printf '\n== %s\n' "$name"
start=$SECONDS

# Tests keep their files in memory where there is room for them: a sync to a disk takes milliseconds, and they make tens of
# thousands. "make unit TMPDIR=/tmp" has them on the disk. What go itself builds stays there.
room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
free=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null || true)
if [[ -z ${TMPDIR:-} ]] && ((${room:-0} > 6 << 20 && ${free:-0} > 6 << 20)); then
  TMPDIR=$(mktemp -d /dev/shm/mailkin-test-XXXXXX)
  chmod 755 "$TMPDIR" # PostgreSQL has a user of its own
  trap 'rm -rf "$TMPDIR" || true' EXIT
  export TMPDIR GOTMPDIR=/tmp
fi

status=0
"$@" || status=$?
if ((status == 0)); then
  printf -- '-- %s: ok, %d s\n' "$name" $((SECONDS - start))
else
  printf -- '-- %s: FAILED (status %d), %d s\n' "$name" "$status" $((SECONDS - start))
fi
exit "$status"
