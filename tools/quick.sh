#!/usr/bin/env bash
# The tests for daily work: go vet, and every package whose tests start no other program, without the race detector and
# without those that compute for long. Go repeats only what a change can have broken.
set -euo pipefail
export GOFLAGS=-trimpath
env GOGC=400 GOMEMLIMIT=3GiB go vet ./...
# PostgreSQL, S3, ACME and node are programs.
others=$(grep -rlE --include='*_test.go' '(pgtest|s3test|pebbletest)"|exec\.LookPath' internal cmd client |
  xargs -n 1 dirname | sort -u)
# shellcheck disable=SC2046 # one word for each package
go test -short -vet=off -timeout 5m $(find internal cmd client api sdk -name '*_test.go' -printf './%h\n' | sort -u |
  grep -vxF "$(sed 's|^|./|' <<<"$others"$'\n'internal/store/sqlite)")
# The service on SQLite alone.
go test -short -vet=off -timeout 5m -run 'Receive|Send|Wait|Claim|Key|Search|Event' ./internal/service
