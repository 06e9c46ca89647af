#!/usr/bin/env bash
# The TypeScript SDK in Bun and Deno, whose programs are 190 MB and so not part of the set-up, and with Jest.
# $MAILKIN_BINARY is the server.
set -euo pipefail
if ! cmp -s test/runtimes/package-lock.json bin/runtimes/package-lock.json; then
  rm -rf bin/runtimes
  mkdir -p bin/runtimes
  cp test/runtimes/package.json test/runtimes/package-lock.json bin/runtimes/
  npm ci --prefix bin/runtimes --no-audit --no-fund --ignore-scripts --silent || {
    rm -f bin/runtimes/package-lock.json
    exit 1
  }
  # Not all its parts for other systems can be had, so that no lock file is complete.
  npm install --prefix bin/runtimes --no-save --no-package-lock --no-audit --no-fund --ignore-scripts --silent jest@30.5.2
fi
MAILKIN_TEST_RUNTIMES=$PWD/bin/runtimes/node_modules tools/typescript.sh runtimes testing
