#!/usr/bin/env bash
# Prints one table of what the readers of mail reach on the sets of real mail in $MAILKIN_CORPORA.
set -euo pipefail
export MAILKIN_CORPORA=${MAILKIN_CORPORA:-$(cd .. && pwd)/shared/corpora}
if [[ ! -d $MAILKIN_CORPORA ]]; then
  echo "there is no folder $MAILKIN_CORPORA: set MAILKIN_CORPORA to the sets of real mail" >&2
  exit 1
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
go test -count=1 -v -run 'Corp|Threading|Stalwart|Mime4j' ./internal/extract/... ./internal/rfc822/... ./internal/screen ./internal/service ./internal/index ./internal/search/meaning >"$out" 2>&1 || status=$?
# A figure is a line of a test that says how many of how many, or a rate; its package is known at the end of its tests.
awk '
  /^=== RUN/ { test = $3; sub(/\/.*/, "", test) }
  /_test\.go:[0-9]+:/ && (/ [0-9]+ of [0-9]+/ || /precision/ || /reciprocal/ || / %/) && !/wrong: [^ ]/ || /all sets/ {
    line = $0; sub(/^ *[a-z0-9_]+_test\.go:[0-9]+: */, "", line); rows[++n] = sprintf("%-28s %s", test, substr(line, 1, 120))
  }
  /^(ok|FAIL)[ \t]/ && n > 0 {
    name = $2; sub(/.*\/internal\//, "", name); print "\n" name
    for (i = 1; i <= n; i++) print "  " rows[i]
    n = 0
  }
' "$out"
grep -E '^(--- FAIL|FAIL)' "$out" || true
exit "$status"
