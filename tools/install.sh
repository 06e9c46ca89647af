#!/usr/bin/env bash
# Builds Go programs that releases and checks use, in bin, where they are not there yet: tools/install.sh NAME...
# Each has the modules that its own authors chose, and none of them is the program's.
set -euo pipefail

package() {
  case $1 in
    actionlint) echo github.com/rhysd/actionlint/cmd/actionlint v1.7.12 ;;
    golangci-lint) echo github.com/golangci/golangci-lint/v2/cmd/golangci-lint v2.14.0 ;;
    nfpm) echo github.com/goreleaser/nfpm/v2/cmd/nfpm v2.45.2 ;;
    pebble) echo github.com/letsencrypt/pebble/v2/cmd/pebble v2.10.1 ;;
    versitygw) echo github.com/versity/versitygw/cmd/versitygw v1.8.0 ;;
    *) echo "no program $1" >&2 && return 1 ;;
  esac
}

mkdir -p bin
for name in "$@"; do
  found=$(package "$name")
  read -r path version <<<"$found"
  built=$(go version -m "bin/$name" 2>/dev/null || true)
  if [[ $built == *$'\t'"$version"$'\t'* ]]; then
    continue
  fi
  echo "building: $name $version, in bin"
  if ! GOBIN=$PWD/bin CGO_ENABLED=0 GOFLAGS=-trimpath go install "$path@$version" 2>"bin/$name.log"; then
    tail -n 3 "bin/$name.log"
    exit 1
  fi
  rm -f "bin/$name.log"
done
