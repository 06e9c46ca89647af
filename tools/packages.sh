#!/usr/bin/env bash
# Lists the packages with tests that are "concurrent", or those that only "compute": neither they nor their tests start
# goroutines or use what does, so the race detector has nothing to find there and only makes them take ten times as long.
set -euo pipefail
starts='^[[:space:]]*go [a-zA-Z]|\.Go\(|t\.Parallel\(|synctest|^[[:space:]]*"net/http|net\.Listen'
uses='^[[:space:]]*"github.com/mailkin/mailkin/internal/(service|store/(sqlite|postgres)|blob|dns)[/"]'
for folder in $(find internal cmd client -name '*_test.go' -printf '%h\n' | sort -u); do
  if grep -qE "$starts|$uses" "$folder"/*.go; then kind=concurrent; else kind=compute; fi
  if [[ $kind == "$1" ]]; then echo "./$folder"; fi
done
