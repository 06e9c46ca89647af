#!/usr/bin/env bash
# Puts the scripts of the console into one file, internal/console/web/app/console.js. Its first line has the digest of
# the scripts that it was made from: a test tells when it is older than they are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
web=internal/console/web
digest=$(find $web -name '*.js' ! -name console.js ! -name leave.js -print0 | LC_ALL=C sort -z | xargs -0 cat | sha256sum | cut -d' ' -f1)
go tool -modfile=tools/go.mod esbuild $web/app/main.js --bundle --minify --format=esm --target=es2022 \
  --legal-comments=none --banner:js="// $digest" --outfile=$web/app/console.js --log-level=warning
