#!/usr/bin/env bash
# Unpacks the real servers that the tests of this folder start, below .servers.
# Debian's FTP servers exclude each other as packages, and so do its news
# servers; unpacked side by side they get along, and none is started by its
# installation. Only libraries, the Z39.50 servers and lynx are installed. Needs root.
# What was unpacked, with its version, stands in .servers/versions.
set -euo pipefail
cd "$(dirname "$0")"

servers=(vsftpd proftpd-core proftpd-mod-crypto pure-ftpd python3-pyftpdlib gophernicus pygopherd
  inn2 sn inetutils-telnetd nginx apache2-bin dictd tinyproxy-bin microsocks
  rsync dovecot-core dovecot-imapd)
beside=(libhiredis0.14 libmemcached11 libmemcachedutil2 libpcre2-posix3 libcanlock3
  inn2-inews python3-simpletal python3-openssl media-types)
installed=(python3 perl openssl yaz idzebra-2.0-utils idzebra-2.0-common libidzebra-2.0-mod-grs-marc libidzebra-2.0-mod-dom
  libdancer-plugin-catmandu-oai-perl lynx)

list="${servers[*]} ${beside[*]} ${installed[*]}"
if [ "$(cat .servers/list 2>/dev/null)" = "$list" ]; then
  echo "interop: the servers are there"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
rm -rf .servers
mkdir -p .servers/deb
apt-get update -qq
(cd .servers/deb && apt-get -qq -o APT::Sandbox::User=root download "${servers[@]}" "${beside[@]}")
needs=()
for deb in .servers/deb/*.deb; do
  dpkg-deb -x "$deb" .servers
  while read -r name; do needs+=("$name"); done < <(
    dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/^ *//; s/[ |(:].*//' | grep '^lib' || true)
done
for name in "${beside[@]}"; do needs=("${needs[@]/#$name/}"); done
mapfile -t needs < <(printf '%s\n' "${needs[@]}" | grep . | sort -u)
apt-get install -y -qq --no-install-recommends "${installed[@]}" "${needs[@]}" >/dev/null
for deb in .servers/deb/*.deb; do dpkg-deb -W --showformat='  ${Package} ${Version}\n' "$deb"; done >.servers/versions
rm -rf .servers/deb
echo "$list" > .servers/list
echo "interop: servers unpacked: ${servers[*]}"
