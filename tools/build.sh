#!/usr/bin/env bash
# Builds the program as a release has it: tools/build.sh OS ARCH OUT. It prints the version, which Go takes from the tag;
# for that it must run in a clone, not in a worktree.
# The same commit and the same version of Go give the same bytes, in any folder and on any machine.
set -euo pipefail
GOOS=$1 GOARCH=$2 CGO_ENABLED=0 GOFLAGS=-trimpath GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT='' \
  go build -buildvcs=true -ldflags='-s -w' -o "$3" ./cmd/mailkin
go version -m "$3" | awk '$1 == "mod" { print $3 }'
