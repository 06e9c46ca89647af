#!/usr/bin/env bash
# Runs what the stage before has left out: the packages that only compute, whole, and of the others the tests that are
# skipped when they are to be short.
set -euo pipefail
compute=$(tools/packages.sh compute)

# Which those tests are, as "folder test": who asks testing.Short() is the test itself, so that its name is in the line that begins it.
tests=$(grep -rl --include='*_test.go' 'testing\.Short()' internal cmd client | sort | xargs awk '
  /^func / { name = $2; sub(/\(.*/, "", name) }
  /testing\.Short\(\)/ {
    if (name !~ /^(Test|Fuzz)/) { print FILENAME ": " name " asks testing.Short(), which only a test does" > "/dev/stderr"; exit 1 }
    folder = FILENAME; sub(/\/[^\/]*$/, "", folder)
    if (!seen[folder, name]++) print folder, name
  }')
names=$(awk '{ print "^" $2 "$" }' <<<"$tests" | sort -u | paste -sd '|')
folders=$(awk '{ print "./" $1 }' <<<"$tests" | sort -u | grep -vxF "$compute")

# The stores share one, which is in no file of their own.
others=$(grep -rn --include='*.go' --exclude='*_test.go' 'testing\.Short()' internal cmd client)
if (($(wc -l <<<"$others") != 1)); then
  printf 'name these below, too:\n%s\n' "$others" >&2
  exit 1
fi
shared='^TestStore$/^Counters$/^exact|^TestStore$/^(plain|partitions)$/^Counters$/^exact'
stores=$(grep -rl --include='*_test.go' 'storetest\.Run' internal | xargs -n 1 dirname | sort -u | sed 's|^|./|')

# shellcheck disable=SC2086 # one word for each folder
go test -vet=off -shuffle=on -timeout 10m $compute
# shellcheck disable=SC2086
exec go test -vet=off -shuffle=on -timeout 10m -run "$names|$shared" $(sort -u <<<"$folders"$'\n'"$stores")
