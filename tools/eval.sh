#!/usr/bin/env bash
# Prints one table of what the readers of mail reach on the sets of mail in the repository and in $MAILKIN_CORPORA: each
# set with its size, the figure before the last round of changes (tools/eval-before.tsv) and the figure now.
# "eval.sh -record" writes the figures of today to that file instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
before=$here/eval-before.tsv
export MAILKIN_CORPORA=${MAILKIN_CORPORA:-$(cd .. && pwd)/shared/corpora}
if [[ ! -d $MAILKIN_CORPORA ]]; then
  echo "there is no folder $MAILKIN_CORPORA: set MAILKIN_CORPORA to the sets of real mail" >&2
  exit 1
fi
out=$(mktemp)
trap 'rm -f "$out" "$out.tsv"' EXIT
status=0
go test -count=1 -v -run 'Corp|Threading|Stalwart|Mime4j' ./internal/extract/... ./internal/rfc822/... ./internal/screen ./internal/service ./internal/index ./internal/search/meaning >"$out" 2>&1 || status=$?
# A figure is a line of a test that says how many of how many, or a rate; its package is known at the end of its tests.
# What stands before the figure is the name of the set.
LC_ALL=C awk '
  /^=== RUN/ { test = $3; sub(/\/.*/, "", test) }
  BEGIN { rate = "(precision|mean reciprocal rank|found|attacks:|labels)? *[0-9]+ +of +[0-9]+"
    rate = rate "|precision [0-9]|mean reciprocal rank" }
  /_test\.go:[0-9]+:/ && (/ [0-9]+ of +[0-9]+/ || /precision/ || /reciprocal/ || / %/) &&
      !/wrong: [^ ]|: below | 0 of 0/ || /all sets/ {
    line = $0; sub(/^ *[a-z0-9_]+_test\.go:[0-9]+: */, "", line)
    if (match(line, rate)) {
      name = substr(line, 1, RSTART - 1); figure = substr(line, RSTART)
      sub(/[:, ]+$/, "", name); gsub(/  +/, " ", figure); sub(/^ +/, "", figure); sub(/; wrong: *$/, "", figure)
      sub(/; \{.*/, "", figure)
      if (figure ~ / of /) sub(/^found /, "", figure)
      rows[++n] = test " " name "\t" figure
    }
  }
  /^(ok|FAIL)[ \t]/ && n > 0 {
    package = $2; sub(/.*\/internal\//, "", package)
    for (i = 1; i <= n; i++) print package "\t" rows[i]
    n = 0
  }
' "$out" >"$out.tsv"
if [[ ${1:-} == -record ]]; then
  sort "$out.tsv" >"$before"
else
  awk -F'\t' '
    FNR == NR { old[$1, $2] = $3; next }
    $1 != package { package = $1; printf "\n%-58s %-58s %s\n", package, "before", "now" }
    {
      set = $2; sub(/^Test/, "", set); was = ($1, $2) in old ? old[$1, $2] : "-"
      printf "  %-56s %-58s %s%s\n", substr(set, 1, 56), substr(was, 1, 57), was == $3 ? "same: " : "", $3
    }
  ' "$before" "$out.tsv"
fi
grep -aE '^(--- FAIL|FAIL)' "$out" || true
exit "$status"
