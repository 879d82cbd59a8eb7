#!/bin/sh
# Fetches axe-core, the judge of the page's accessibility, for the browser tests.
# Chromium comes from the system's packages (Debian: apt-get install chromium).
set -eu
version=4.14.1
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/node_modules/axe-core/axe.min.js" ] && exit 0
npm install --no-save --no-audit --no-fund --ignore-scripts --prefix "$here" "axe-core@$version"
