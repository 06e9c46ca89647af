#!/usr/bin/env bash
# The TypeScript SDK: its types, the packages as npm would publish them, and its tests against those packages. The
# server is the real binary, $MAILKIN_BINARY. Compiler and runner are in bin/typescript, Playwright is in bin/doors.
set -euo pipefail
modules=$PWD/bin/typescript/node_modules
doors=$PWD/bin/doors/node_modules
cmp -s test/typescript/package-lock.json bin/typescript/package-lock.json || {
  echo "the packages of test/typescript are missing, or others: make setup"
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r sdk/typescript "$work/client"
cd "$work"
mv client/tests client/examples client/playwright .
cp client/tsconfig*.json .
echo '{"type":"module","private":true}' >package.json

# An environment in which our packages are installed, beside those that were brought.
mkdir -p node_modules/@mailkin node_modules/.bin
for package in "$modules"/* "$modules"/@*/* "$doors"/playwright* "$doors"/@playwright/*; do
  name=${package#*/node_modules/}
  mkdir -p "node_modules/$(dirname "$name")"
  [[ $name == @* && $name != */* ]] || ln -s "$package" "node_modules/$name"
done
tsc() { node "$modules/typescript/bin/tsc" "$@"; }

publish() { # folder, name
  local archive
  (cd "$1" && tsc && tsc -p tsconfig.cjs.json && echo '{"type":"commonjs"}' >dist/cjs/package.json)
  archive=$(cd "$1" && npm pack --silent --offline --pack-destination "$work" 2>/dev/null)
  mkdir -p "node_modules/@mailkin/$2"
  tar -xzf "$archive" -C "node_modules/@mailkin/$2" --strip-components=1
}
publish client client
publish playwright playwright

# The package alone must do for who checks the types of libraries, too; others' libraries need not pass ours.
tsc -p tests/consumer
tsc -p tests/consumer/node.json
tsc -p examples
tsc -p tests
(cd tests && node "$modules/vitest/vitest.mjs" run "$@")
