#!/usr/bin/env bash
# Runs the tests of spam and virus scanners with a real rspamd, which it installs where it is missing.
set -euo pipefail
if ! command -v rspamd >/dev/null; then
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "rspamd is missing. On Debian: apt-get install rspamd"
    exit 1
  fi
  echo "installing: rspamd"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends rspamd >/dev/null
fi
MAILKIN_TEST_RSPAMD=1 go test -count=1 -vet=off -v -timeout 5m -run '^(TestRspamd|TestScanner|TestBlocklist)$' ./test
