#!/usr/bin/env bash
# The Python SDK: its types, a wheel and a source archive built without the network, and its tests, in an environment
# that has the wheel and otherwise what Debian has. The server is the real binary, $MAILKIN_BINARY.
set -euo pipefail
python=/usr/bin/python3 # Debian's, whatever else is in the path
[[ -x $python ]] || python=python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd sdk/python

"$python" -m mypy --cache-dir "$work/mypy"

cp -r pyproject.toml README.md src "$work"
(cd "$work" && "$python" -m build --no-isolation --sdist --wheel --outdir dist . >build.log 2>&1) || {
  tail -n 20 "$work/build.log"
  exit 1
}
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet --no-deps --no-index "$work"/dist/*.whl

# Without caches: the checkout stays as it is.
PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python" -m pytest -q -p no:cacheprovider -n 3 tests "$@"
