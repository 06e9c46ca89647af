#!/usr/bin/env bash
# A real Prometheus reads a real server, $MAILKIN_TEST_BINARY. It is the one of the PATH, or else that of Debian's
# package, which is unpacked under bin/prometheus and not installed, so that no service is started.
set -euo pipefail
at=$(dirname "$(command -v prometheus || true)")
if [[ ! -x $at/promtool ]]; then
  at=$PWD/bin/prometheus/usr/bin
  if [[ ! -x $at/promtool ]]; then
    mkdir -p bin/prometheus
    (cd bin/prometheus && apt-get download -q prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb)
  fi
fi
MAILKIN_TEST_PROMETHEUS=$at go test -count=1 -vet=off -v -run '^TestObservability$' -timeout 5m ./test
