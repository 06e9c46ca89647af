#!/usr/bin/env bash
# Makes the files of a release from the commit that is checked out here: tools/dist.sh OUT PLATFORM...
# tools/release.sh runs it twice, and compares.
set -euo pipefail
out=$1
shift
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH STAGE=$stage GOFLAGS=-trimpath CGO_ENABLED=0

# An archive is the same whoever makes it, and when.
archive() { # folder, file
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u+w,go-w -cf - . |
    gzip -9n >"$2"
}

# What is the same on every system: licence texts, and what shells complete. This machine's own program writes it.
tools/build.sh "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$stage/mailkin" >/dev/null
"$stage/mailkin" licenses >"$stage/licenses.txt"
for shell in bash zsh fish; do "$stage/mailkin" completion "$shell" >"$stage/completion.$shell"; done

# In a package the program is where the system's are, and the notes on installing it are of no use.
for unit in mailkin.service mailkin-backup.service mailkin-backup.timer; do
  sed -e '1,/^$/d' -e 's,/usr/local/bin/,/usr/bin/,' "deploy/$unit" >"$stage/$unit"
done

for platform in "$@"; do
  system=${platform%/*} processor=${platform#*/}
  folder=$stage/$system-$processor
  mkdir "$folder"
  version=$(tools/build.sh "$system" "$processor" "$folder/mailkin")
  name=mailkin_${version#v}_${system}_$processor
  echo "$name"
  go run -C tools ./release sbom "$folder/mailkin" >"$out/$name.cdx.json"
  cp LICENSE NOTICE "$stage/licenses.txt" "$folder"
  archive "$folder" "$out/$name.tar.gz"
  if [[ $system == linux ]]; then
    for form in deb rpm; do
      ARCH=$processor VERSION=${version#v} nfpm package -f deploy/package/nfpm.yaml -p "$form" -t "$out/$name.$form" >/dev/null
    done
  fi
done
