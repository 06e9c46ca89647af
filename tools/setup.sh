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
  node:nodejs
  npm:npm
  openssl:openssl
  opendkim:opendkim
  dmarc-policy-find:python3-authheaders
  ip:iproute2
  pgbouncer:pgbouncer
  chromium:chromium
  chromedriver:chromium-driver
  mypy:mypy
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
# What has no program of its own: a checker of SPF, for Debian's python3.
if ! [[ -e /usr/lib/python3/dist-packages/spf.py ]] && command -v apt-get >/dev/null; then
  missing+=("pyspf")
  packages+=(python3-spf)
fi
# For the Python SDK: what it uses, what builds it, what tests it, and what its examples use.
for module in httpx pytest xdist build setuptools wheel ensurepip selenium flask fastapi uvicorn; do
  if ! /usr/bin/python3 -c "import $module" 2>/dev/null && command -v apt-get >/dev/null; then
    missing+=("$module for Python")
    case $module in
      xdist) packages+=(python3-pytest-xdist) ;;
      ensurepip) packages+=(python3-venv) ;;
      *) packages+=("python3-$module") ;;
    esac
  fi
done
# swaks speaks TLS only with this, which its package no more than recommends.
if ! perl -MNet::SSLeay -e 1 2>/dev/null && command -v apt-get >/dev/null; then
  missing+=("TLS for swaks")
  packages+=(libnet-ssleay-perl)
fi
# PostgreSQL's server, which Debian keeps outside of the path. Tests start clusters of their own, so the one that the
# package would make and start is not wanted.
if ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && ! command -v initdb >/dev/null; then
  missing+=("PostgreSQL's server")
  packages+=(postgresql)
  if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null && ! [[ -e /etc/postgresql-common/createcluster.conf ]]; then
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    export UCF_FORCE_CONFFOLD=1 # keep that file without asking
  fi
fi

if ((${#missing[@]} == 0)); then
  echo "everything is there"
elif [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "installing: ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  # Another installation may be under way: wait for it.
  install=(apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300)
  if ! { apt-get update -qq && "${install[@]}" "${packages[@]}" >/dev/null; }; then
    echo "could not install them; the tests that need ${missing[*]} will fail"
  fi
else
  echo "missing: ${missing[*]}. Tests that need them will fail. On Debian: apt-get install ${packages[*]}"
fi

# The reference verifier of Standard Webhooks, for a test of ours. With what it depends on, so that nothing else can change.
if ! [[ -e bin/node/node_modules/standardwebhooks ]] && command -v npm >/dev/null; then
  echo "installing: standardwebhooks for node, in bin/node"
  if ! npm install --prefix bin/node --no-audit --no-fund --ignore-scripts --silent \
    standardwebhooks@1.1.1 @stablelib/base64@1.0.1 fast-sha256@1.3.0; then
    echo "could not install it; the test that needs it will fail or be skipped"
  fi
fi

# Packages for node that tests call, in bin/NAME. The lock file in test/NAME names every version, with its digest.
modules() { # name
  if cmp -s "test/$1/package-lock.json" "bin/$1/package-lock.json" || ! command -v npm >/dev/null; then
    return
  fi
  echo "installing: packages of test/$1 for node, in bin/$1"
  rm -rf "bin/$1"
  mkdir -p "bin/$1"
  cp "test/$1/package.json" "test/$1/package-lock.json" "bin/$1/"
  # Without scripts, and so without the browsers that Playwright's would load: Chromium is there.
  if ! PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefix "bin/$1" --no-audit --no-fund --ignore-scripts --silent; then
    rm -f "bin/$1/package-lock.json"
    echo "could not install them; the tests that need them will fail or be skipped"
  fi
}
modules mcp        # the official TypeScript SDK of the Model Context Protocol, whose client tests ours
modules doors      # clients of the services whose interfaces our doors speak, and Playwright
modules axe        # axe-core, which looks at the console's pages for what people with disabilities cannot use
modules openid     # an OpenID provider
modules typescript # the compiler and the test runner of the TypeScript SDK

if ! command -v go >/dev/null; then
  echo "Go is missing: install the version that go.mod names, or any later one, from https://go.dev/dl/"
  exit 1
fi

# Servers for tests that no package has, built here: S3 and ACME. Two minutes, once.
for name in versitygw pebble; do
  tools/install.sh "$name" || echo "could not build $name; the tests that need it will fail or be skipped"
done
