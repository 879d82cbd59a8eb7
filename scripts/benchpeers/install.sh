#!/usr/bin/env bash
# usage: install.sh FOLDER
# Puts what linkcheck is compared with into FOLDER, from package registries alone: Debian
# (as root; installed for the machine), npm and the Go module proxy, which run no scripts here.
# FOLDER/missing names what could not be had, and why.
set -uo pipefail
mkdir -p "${1:?the folder}"
dir=$(cd "$1" && pwd)
: >"$dir/missing"
lack() { echo "$1	$2" >>"$dir/missing"; }

for package in linkchecker w3c-linkchecker lynx curl; do
  dpkg-query -W "$package" >/dev/null 2>&1 && continue
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 || lack "$package" "Debian's archive does not give it"
  else
    lack "$package" "not root on Debian"
  fi
done
for package in linkinator@7.6.1 hyperlink@5.0.4; do
  name=${package%@*}
  [ -x "$dir/npm/node_modules/.bin/$name" ] && continue
  npm install --prefix "$dir/npm" --ignore-scripts --no-audit --no-fund --silent "$package" >/dev/null 2>&1 || lack "$name" "npm does not give it"
done
for module in mvdan.cc/xurls/v2/cmd/xurls@v2.6.0 github.com/raviqqe/muffet/v2@v2.10.10 github.com/wjdp/htmltest@v0.17.0; do
  name=$(basename "${module%@*}")
  case $name in v2) name=muffet ;; esac
  [ -x "$dir/bin/$name" ] && continue
  GOBIN="$dir/bin" GOFLAGS= go install "$module" >/dev/null 2>&1 || lack "$name" "the Go module proxy does not give ${module}"
done
cat "$dir/missing"
