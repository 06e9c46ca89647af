#!/usr/bin/env bash
# Checks the Helm chart, and packs it into dist: linted, rendered in each of its forms, and every object held against the
# types of Kubernetes.
set -euo pipefail
chart=$PWD/deploy/helm/mailkin
helm() { go tool -C tools/chart helm "$@"; }
export GOFLAGS=-trimpath CGO_ENABLED=0

helm lint --strict --quiet "$chart" --set secret.existing=mailkin
form() { # name, flags
  local rendered name=$1
  shift
  rendered=$(helm template "$name" "$chart" "$@")
  go run -C tools/chart . <<<"$rendered"
}
form mailkin --set secret.existing=mailkin
form agents --set ingress.enabled=true --set ingress.className=nginx --set smtp.type=ClusterIP \
  --set secret.values.AUTH_TOKEN=a,secret.values.MAILKIN_SECRET=b \
  --set secret.values.MAILKIN_DATABASE_URL=postgres://c/d,secret.values.MAILKIN_BLOB_URL=s3://e
form one --set store=embedded --set persistence.storageClass=fast --set 'image.pullSecrets={registry}' \
  --set nodeSelector.disk=ssd
# What would start nothing is refused, with a sentence.
for wrong in store=both replicas=3; do
  if helm template mailkin "$chart" --set "$wrong" >/dev/null 2>&1; then
    echo "it was rendered without what it needs: $wrong" >&2
    exit 1
  fi
done

version=$(git describe --tags --match 'v*' 2>/dev/null || echo "v0.0.0-g$(git log -1 --format=%h)")
mkdir -p dist
helm package "$chart" --destination "$PWD/dist" --version "${version#v}" --app-version "${version#v}" >/dev/null
echo "dist/mailkin-${version#v}.tgz"
