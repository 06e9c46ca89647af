#!/usr/bin/env bash
# Brings the programs that the tests use onto the machine. Fast and silent where they are there. Without root or
# apt-get it says what is missing and goes on: the tests that need it then fail and say so.
set -euo pipefail

# program:package. Each is used by a test, or by the race detector (gcc).
wanted=(
  gcc:gcc
  curl:curl
  python3:python3
  strace:strace
  swaks:swaks
  postfix:postfix
)

missing=()
packages=()
for entry in "${wanted[@]}"; do
  if ! command -v "${entry%%:*}" >/dev/null; then
    missing+=("${entry%%:*}")
    packages+=("${entry##*:}")
  fi
done
# gcc alone cannot link the race detector: the C library's headers come in a package of their own.
if ! [[ -e /usr/include/stdlib.h ]] && command -v apt-get >/dev/null; then
  missing+=("C headers")
  packages+=(libc6-dev)
fi

if ((${#missing[@]} == 0)); then
  echo "everything is there"
elif [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "installing: ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; }; then
    echo "could not install them; the tests that need ${missing[*]} will fail"
  fi
else
  echo "missing: ${missing[*]}. Tests that need them will fail. On Debian: apt-get install ${packages[*]}"
fi

if ! command -v go >/dev/null; then
  echo "Go is missing: install the version that go.mod names, or any later one, from https://go.dev/dl/"
  exit 1
fi
