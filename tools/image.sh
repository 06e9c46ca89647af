#!/usr/bin/env bash
# Builds the image of the commit that is checked out: tools/image.sh [ARCH...], amd64 and arm64 without any. There is
# one for each processor in dist, for "docker load" or "podman load", and a list of both for "buildah manifest push".
# It needs buildah, and no daemon; nothing in it runs, so any machine builds it for both.
set -euo pipefail
processors=("$@")
((${#processors[@]})) || processors=(amd64 arm64)
if ! command -v buildah >/dev/null; then
  echo "an image is built by buildah, which is not installed (Debian: apt-get install buildah)" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p dist "$work/context/lib/mailkin" "$work/context/root/tmp"
chmod 0700 "$work/context/lib/mailkin"
chmod 1777 "$work/context/root/tmp"

git clone --quiet --shared . "$work/source"
cp deploy/Dockerfile "$work/context/"
for processor in "${processors[@]}"; do
  version=$(cd "$work/source" && tools/build.sh linux "$processor" "$work/context/mailkin-$processor")
done
version=${version#v} version=${version//+/-}
(cd "$work/source" && zcat cmd/mailkin/licenses.txt.gz) >"$work/context/licenses.txt"
for roots in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
  if [[ -e $roots ]]; then
    cp "$roots" "$work/context/ca-certificates.crt"
    break
  fi
done

list=localhost/mailkin:$version
buildah rmi "$list" >/dev/null 2>&1 || true
buildah manifest rm "$list" >/dev/null 2>&1 || true
buildah manifest create "$list" >/dev/null
for processor in "${processors[@]}"; do
  name=localhost/mailkin:$version-$processor
  buildah build --quiet --format docker --platform "linux/$processor" --timestamp "$(git log -1 --format=%ct)" \
    --label "org.opencontainers.image.version=$version" --label "org.opencontainers.image.licenses=Apache-2.0" \
    --label "org.opencontainers.image.source=https://github.com/mailkin/mailkin" \
    --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" \
    --build-arg "TARGETARCH=$processor" --tag "$name" "$work/context" >/dev/null
  buildah manifest add "$list" "$name" >/dev/null
  file=dist/mailkin_${version}_image_$processor.tar
  rm -f "$file"
  buildah push --quiet "$name" "docker-archive:$file:mailkin:$version"
  echo "$name, $file"
done
echo "$list"
