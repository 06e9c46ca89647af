#!/usr/bin/env bash
# Upgrades: data of older versions, a program that is too old, and a rolling upgrade of nodes under load; that once
# while the tables grow under one program, and once from an older program to this one. The older one is built from
# OLDER, which is the commit with the tables of test/testdata/samples/tables-26.tar.gz.
set -euo pipefail
older=${OLDER:-a65eb73f}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests() { go test -count=1 -vet=off -v -timeout 5m -run "^($1)\$" ./test; }

tests 'TestOlderDataOpens|TestDowngradeIsRefused|TestNodesUpgrade'
if ! git cat-file -e "$older^{commit}" 2>/dev/null; then
  echo "the commit $older is not here, so there is no older program: fetch the history, or set OLDER" >&2
  exit 1
fi
mkdir "$work/source"
git archive "$older" | tar -x -C "$work/source"
(cd "$work/source" && CGO_ENABLED=0 go build -buildvcs=false -o "$work/mailkin" ./cmd/mailkin)
echo "from the program of $(git log -1 --format='%h, %as' "$older") to this one:"
MAILKIN_TEST_NEWER_BINARY=$MAILKIN_TEST_BINARY MAILKIN_TEST_BINARY=$work/mailkin tests TestNodesUpgrade
