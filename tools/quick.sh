#!/usr/bin/env bash
# The tests for daily work: go vet, and every package whose tests start no other program, without the race detector and
# without what computes for long, such as measuring on real mail. Go repeats only what a change can have broken. It
# builds with the flags of the other targets, so that nothing is built twice.
set -euo pipefail
export MAILKIN_CORPORA=none
# A folder in memory that has the same name each time: go repeats a test whose TMPDIR is another.
if [[ ${TMPDIR:-} == /dev/shm/mailkin-test-* ]]; then
  TMPDIR=/dev/shm/mailkin-quick-$UID-$(cksum <<<"$PWD" | cut -d ' ' -f 1)
  mkdir -p "$TMPDIR"
  trap 'rmdir "$TMPDIR" 2>/dev/null || true' EXIT
fi
env GOGC=400 GOMEMLIMIT=3GiB go vet ./...
# PostgreSQL, S3, ACME and node are programs.
others=$(grep -rlE --include='*_test.go' '(pgtest|s3test|pebbletest)"|exec\.LookPath' internal cmd client |
  xargs -n 1 dirname | sort -u)
# Three at a time on two processors, because many tests wait. Without debug information linking takes a quarter less.
quickly() { go test -short -vet=off -ldflags=-w -p 3 -timeout 5m "$@"; }
# The service on SQLite alone, beside the others: it takes longest.
quickly -run 'Receive|Send|Wait|Claim|Key|Search|Event' ./internal/service &
service=$!
status=0
# shellcheck disable=SC2046 # one word for each package
quickly $(find internal cmd client api sdk -name '*_test.go' -printf './%h\n' | sort -u |
  grep -vxF "$(sed 's|^|./|' <<<"$others"$'\n'internal/store/sqlite)") || status=$?
wait "$service" || status=$?
exit "$status"
