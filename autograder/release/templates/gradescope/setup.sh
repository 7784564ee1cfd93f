#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
source="$(cd "$(dirname "$0")" && pwd)"
kit="$(dirname "$source")/kit"

find_python() {
  for python in python3.13 python3.12 python3.11 python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

python="$(find_python)" || {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install --no-install-recommends python3.12 python3.12-venv >/dev/null 2>&1 ||
    apt-get -qq install --no-install-recommends python3.11 python3.11-venv >/dev/null
  python="$(find_python)"
}
"$python" -m venv "$kit"
cd "$source"
"$kit/bin/python" -m pip install --quiet --no-cache-dir --require-hashes -r sandbox.lock
"$kit/bin/python" -m pip install --quiet --no-cache-dir -r requirements.txt
"$kit/bin/autograder" doctor || true
