#!/usr/bin/env bash
# Installs what `make test` talks to beside Go: real servers, a browser, and the
# judge of accessibility. As root on Debian it installs; elsewhere it says what
# the tests will skip.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "deps: not root on Debian, so nothing is installed: tests of real servers and of the browser skip by name"
  exit 0
fi
want=()
command -v chromium >/dev/null || want+=(chromium)
command -v npm >/dev/null || want+=(npm)
command -v pdftotext >/dev/null || want+=(poppler-utils) # reads what the page prints
if [ ${#want[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${want[@]}" >/dev/null
fi
report/browser/install.sh
interop/install.sh
echo "deps: versions of this run, from the signed archive of $(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release):"
dpkg-query -W -f '  ${Package} ${Version}\n' chromium npm poppler-utils yaz idzebra-2.0-utils libidzebra-2.0-mod-dom libdancer-plugin-catmandu-oai-perl lynx python3 openssl 2>/dev/null || true
cat interop/.servers/versions 2>/dev/null || true
