#!/usr/bin/env bash
# The Python SDK: its types, a wheel and a source archive built without the network, and its tests, in an environment
# that has the wheel and otherwise what Debian has. The server is the real binary, $MAILKIN_BINARY.
set -euo pipefail
python=/usr/bin/python3 # Debian's, whatever else is in the path
[[ -x $python ]] || python=python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd sdk/python
"$python" setup.py # the client without asyncio, for the type checker

# Beside the rest, which waits more than it computes.
"$python" -m mypy --cache-dir "$work/mypy" >"$work/mypy.log" 2>&1 &
types=$!

cp -r pyproject.toml setup.py README.md src "$work"
(cd "$work" && "$python" -m build --no-isolation --sdist --wheel --outdir dist . >build.log 2>&1) || {
  tail -n 20 "$work/build.log"
  exit 1
}
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet --no-deps --no-index "$work"/dist/*.whl

# Without caches: the checkout stays as it is.
status=0
MAILKIN_WHEEL=$(echo "$work"/dist/*.whl) PYTHONDONTWRITEBYTECODE=1 \
  "$work/venv/bin/python" -m pytest -q -p no:cacheprovider -n 4 tests "$@" || status=$?
wait "$types" || status=$?
cat "$work/mypy.log"
if [[ -e $work/dist/clock ]]; then
  echo "a newcomer's clock: $(<"$work/dist/clock") s from pip install to the first code"
fi
exit "$status"
