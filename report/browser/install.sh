#!/bin/sh
# Fetches axe-core, the judge of the page's accessibility, for the browser tests:
# the one version of package-lock.json, whose hash npm compares, and no script of it.
# Chromium comes from the system's packages (Debian: apt-get install chromium).
set -eu
cd "$(dirname "$0")"
wanted=$(sed -n 's/.*"axe-core": "\(.*\)".*/\1/p' package.json)
grep -qs "\"version\": \"$wanted\"" node_modules/axe-core/package.json && exit 0
npm ci --ignore-scripts --no-audit --no-fund
