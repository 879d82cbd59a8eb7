#!/bin/sh
# The Z39.50 servers that the tests of this folder talk to, on Debian.
set -eu
apt-get install -y --no-install-recommends yaz idzebra-2.0-utils idzebra-2.0-common libidzebra-2.0-mod-grs-marc
