#!/usr/bin/env bash
# usage: scripts/packages_test.sh
# Builds the release for this architecture twice, in two clones of the commit in different
# folders, and compares every octet; then installs the .deb into a folder of its own with dpkg,
# upgrades it over a configuration that was changed, removes and purges it; checks the unit;
# and runs the program in the container's root without a container. Says what it leaves out.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$(go env GOHOSTARCH)
export PLATFORMS=linux/$arch
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
fail() { echo "packages: $*" >&2; exit 1; }
want() { [ -e "$root$1" ] || [ -L "$root$1" ] || fail "$1 is not there after $step"; }
none() { [ ! -e "$root$1" ] || fail "$1 is there after $step"; }

mkdir -p "$t/a" "$t/longer/b"
git clone -q . "$t/a/src"
git clone -q . "$t/longer/b/source"
VERSION=1.0.0 "$t/a/src/scripts/dist.sh" "$t/one" >/dev/null
sleep 1
VERSION=1.0.0 TMPDIR=$t/longer "$t/longer/b/source/scripts/dist.sh" "$t/two" >/dev/null
diff -r "$t/one" "$t/two" || fail "two builds of one commit differ"
(cd "$t/one" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS is wrong"
echo "packages: two builds give the same octets"
bin=$t/one/linkcheck-1.0.0-linux-$arch
grep -q '"version":"1.0.0"' <<<"$("$bin" version --json)" || fail "the linker did not set the version"
grep -q "$(git rev-parse HEAD)" <<<"$("$bin" version)" || fail "the commit is not told"

if command -v systemd-analyze >/dev/null; then
	mkdir -p "$t/unit"
	sed "s|/usr/bin/linkcheck|$bin|" packaging/linkcheck.service >"$t/unit/linkcheck.service"
	cp packaging/linkcheck.timer "$t/unit/"
	said=$(systemd-analyze verify --man=no "$t/unit/linkcheck.service" "$t/unit/linkcheck.timer" 2>&1) || fail "$said"
	! grep -F "$t/unit" <<<"$said" || fail "the unit is not clean"
	echo "packages: the unit is clean"
else
	echo "packages: left out: no systemd-analyze here"
fi

if command -v dpkg >/dev/null && [ "$(id -u)" = 0 ]; then
	VERSION=1.1.0 "$t/a/src/scripts/dist.sh" "$t/next" >/dev/null
	root=$t/root
	mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/private/linkcheck"
	touch "$root/var/lib/dpkg/status" "$root/var/lib/private/linkcheck/linkcheck.db"
	deb() { DEBIAN_FRONTEND=noninteractive dpkg --root="$root" --log=/dev/null --force-script-chrootless --force-confold --force-depends "$@" </dev/null >"$t/said" 2>&1 || { cat "$t/said"; fail "dpkg $*"; }; }
	step=installing
	deb -i "$t"/one/linkcheck_1.0.0*_"$arch".deb
	for f in /usr/bin/linkcheck /etc/linkcheck/linkcheck.toml /etc/linkcheck/sources /usr/lib/systemd/system/linkcheck.service /usr/lib/systemd/system/linkcheck.timer \
		/usr/share/man/man1/linkcheck.1.gz /usr/share/man/man1/linkcheck-run.1.gz /usr/share/bash-completion/completions/linkcheck \
		/usr/share/zsh/vendor-completions/_linkcheck /usr/share/fish/vendor_completions.d/linkcheck.fish /usr/share/doc/linkcheck/THIRD_PARTY_NOTICES \
		/usr/share/doc/linkcheck/OPERATIONS.md /usr/share/doc/linkcheck/CHANGELOG.md; do want $f; done
	none /etc/systemd/system/timers.target.wants/linkcheck.timer
	(cd "$root" && find etc -type f -printf '/%p\n' | sort) >"$t/etc"
	dpkg-deb --info "$t"/one/linkcheck_1.0.0*_"$arch".deb conffiles | sort | diff - "$t/etc" || fail "not every file below /etc is a conffile"
	cmp -s "$root/usr/bin/linkcheck" "$bin" || fail "another program is installed"
	"$root/usr/bin/linkcheck" schemes --config "$root/etc/linkcheck/linkcheck.toml" >/dev/null || fail "the configuration is not taken"
	step=upgrading
	echo 'contact = "ann@library.example"' | cat - "$root/etc/linkcheck/linkcheck.toml" >"$t/toml"
	cp "$t/toml" "$root/etc/linkcheck/linkcheck.toml"
	deb -i "$t"/next/linkcheck_1.1.0*_"$arch".deb
	cmp -s "$t/toml" "$root/etc/linkcheck/linkcheck.toml" || fail "the upgrade changed a configuration"
	grep -q 1.1.0 <<<"$("$root/usr/bin/linkcheck" version)" || fail "the program was not upgraded"
	step=removing
	deb -r linkcheck
	none /usr/bin/linkcheck
	want /etc/linkcheck/linkcheck.toml
	step=purging
	deb -P linkcheck
	none /etc/linkcheck/linkcheck.toml
	none /etc/linkcheck/sources
	want /var/lib/private/linkcheck/linkcheck.db
	grep -q 'stays: it holds the store' "$t/said" || fail "the purge does not say where the store is"
	echo "packages: installed, upgraded, removed and purged"
else
	echo "packages: left out: no dpkg here, or not root"
fi

if command -v rpm >/dev/null; then
	rpm=$(ls "$t"/one/*.rpm)
	rpm -qp --configfiles "$rpm" | sort >"$t/config"
	printf '%s\n' /etc/linkcheck/linkcheck.toml /etc/linkcheck/sources | diff - "$t/config" || fail "the .rpm has other configuration files"
	grep -qx /usr/bin/linkcheck <<<"$(rpm -qpl "$rpm")" || fail "the .rpm has no program"
	echo "packages: the .rpm is read by rpm"
else
	echo "packages: left out: no rpm here"
fi

if [ "$(id -u)" = 0 ]; then
	cp -r "$t/one/container/$arch/root" "$t/box"
	chmod 1777 "$t/box/tmp" "$t/box/data"
	inside() { chroot --userspec=65532:65532 "$t/box" /usr/bin/linkcheck "$@"; }
	grep -q 1.0.0 <<<"$(inside version)" || fail "the program does not run in the container's root"
	HOME=/data inside demo --nights 1 --dir /data/demo >/dev/null || fail "the demo does not run in the container's root"
	[ -s "$t/box/data/demo/report.html" ] || [ -n "$(find "$t/box/data/demo" -name '*.html')" ] || fail "no report was written"
	echo "packages: the container's root works for a user that is not root"
else
	echo "packages: left out: the container's root wants root"
fi
