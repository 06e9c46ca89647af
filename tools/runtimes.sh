#!/usr/bin/env bash
# The TypeScript SDK in Bun and Deno, whose programs are 190 MB and so not part of the set-up, and with Jest.
# $MAILKIN_BINARY is the server. There is no lock file: their parts for other systems are not all to be had.
set -euo pipefail
packages="bun@1.4.4 deno@2.9.6 jest@30.5.2"
if [[ $(cat bin/runtimes/packages 2>/dev/null) != "$packages" ]]; then
  rm -rf bin/runtimes
  mkdir -p bin/runtimes
  # shellcheck disable=SC2086 # several words
  npm install --prefix bin/runtimes --no-save --no-package-lock --no-audit --no-fund --ignore-scripts --silent $packages
  echo "$packages" >bin/runtimes/packages
fi
MAILKIN_TEST_RUNTIMES=$PWD/bin/runtimes/node_modules tools/typescript.sh runtimes testing
