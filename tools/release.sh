#!/usr/bin/env bash
# Makes a release of the commit that is checked out, in dist: twice, in two folders and with two build caches, and fails
# where a single byte differs. Usage: tools/release.sh [PLATFORM...], all four without any.
set -euo pipefail
platforms=("$@")
((${#platforms[@]})) || platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64)
if [[ -n $(git status --porcelain) ]]; then
  echo "a release is made of a commit, and this is not in it:" >&2
  git status --short >&2
  exit 1
fi
tools/install.sh nfpm
export PATH=$PWD/bin:$PATH
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT

once() { # folder, where the files go
  mkdir -p "$2"
  git clone --quiet --shared . "$1"
  (cd "$1" && tools/dist.sh "$2" "${platforms[@]}")
}
rm -rf dist
once "$work/one" "$PWD/dist"
echo "and once more, from nothing"
GOCACHE=$work/cache once "$work/another/folder" "$work/again"
if ! diff -r dist "$work/again"; then
  echo "these differ between two builds of the same commit" >&2
  exit 1
fi

# What this machine can run is run: its own program, and that of another processor where there is an emulator for it.
for archive in dist/*_linux_*.tar.gz; do
  tar -xzf "$archive" -C "$work" ./mailkin
  if "$work/mailkin" version >/dev/null 2>&1; then
    runner=()
  else
    runner=("qemu-$(sed -E 's/.*_linux_(.*)\.tar\.gz/\1/; s/arm64/aarch64/; s/amd64/x86_64/' <<<"$archive")-static")
    if ! command -v "${runner[0]}" >/dev/null; then
      echo "$archive: not run, without ${runner[0]} (Debian: qemu-user-static)"
      continue
    fi
  fi
  "${runner[@]}" "$work/mailkin" demo >"$work/demo" 2>&1 || { cat "$work/demo" >&2; exit 1; }
  echo "$archive: demo passed" "${runner[@]}"
done
(cd dist && sha256sum -- * >SHA256SUMS)
cat dist/SHA256SUMS
