#!/usr/bin/env bash
# Installs what `make test` talks to beside Go: real servers and a browser.
# As root on Debian it installs; elsewhere it says what the tests will skip.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "deps: not root on Debian, so nothing is installed: tests of real servers and of the browser skip by name"
  exit 0
fi
for part in interop/install.sh report/browser/install.sh; do
  [ ! -x "$part" ] || "$part"
done
