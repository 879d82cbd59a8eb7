#!/usr/bin/env bash
# usage: scripts/dist.sh [FOLDER]
# Makes everything of a release in FOLDER (dist): static binaries, .deb and .rpm, the root
# of a container, the list of what is in the program (SBOM) and the sums of all. The same
# commit gives the same octets in whatever folder, with the same Go.
#
#   VERSION        of the release; that of cmd/linkcheck/main.go
#   PLATFORMS      "linux/amd64 ..."; all of them
#   MAINTAINER     of the packages
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0
version=${VERSION:-$(sed -n 's/^var version = "\(.*\)"$/\1/p' cmd/linkcheck/main.go)}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH CGO_ENABLED=0 GOFLAGS=-trimpath LC_ALL=C TZ=UTC GOAMD64=v1 GOARM64=v8.0
maintainer=${MAINTAINER:-linkcheck maintainers <linkcheck@localhost>}
umask 022
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # GOOS GOARCH FILE PROGRAM
	GOOS=$1 GOARCH=$2 go build -buildvcs=true -ldflags "-s -w -buildid= -X main.version=$version" -o "$3" "./cmd/${4:-linkcheck}"
}

for p in $platforms; do
	os=${p%/*} arch=${p#*/} suffix=
	[ "$os" != windows ] || suffix=.exe
	echo "dist: $p"
	GOOS=$os GOARCH=$arch go vet ./cmd/linkcheck ./cmd/linkcheck-engine
	build "$os" "$arch" "$out/linkcheck-$version-$os-$arch$suffix"
	build "$os" "$arch" "$out/linkcheck-engine-$version-$os-$arch$suffix" linkcheck-engine
done

# What the program says of itself: manual pages, completions, configuration.
build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$work/host"
export XDG_CONFIG_HOME=$work/config # which go writes to as well
mkdir "$work/doc" "$work/doc/man"
"$work/host" man "$work/doc/man" 2>/dev/null
gzip -9 -n "$work"/doc/man/*.1
for shell in bash zsh fish; do "$work/host" completion $shell >"$work/doc/linkcheck.$shell"; done
"$work/host" init "$work/doc/linkcheck.toml" >/dev/null
sed -i 's|^#store = "linkcheck.db"$|store = "/var/lib/linkcheck/linkcheck.db"|' "$work/doc/linkcheck.toml"
grep -q '^store = "/var/lib/linkcheck/linkcheck.db"$' "$work/doc/linkcheck.toml"

for p in $platforms; do
	os=${p%/*} arch=${p#*/}
	[ "$os" = linux ] || continue
	bin=$out/linkcheck-$version-linux-$arch
	engine=$out/linkcheck-engine-$version-linux-$arch
	go run ./scripts/modules sbom "$bin" "$version" >"$bin.cdx.json"
	go run ./scripts/modules sbom "$engine" "$version" >"$engine.cdx.json"
	into=$work/$arch
	cp -r "$work/doc" "$into"
	cp "$bin" "$into/linkcheck"
	cp "$bin.cdx.json" "$into/linkcheck.cdx.json"
	cp "$engine" "$into/linkcheck-engine"
	cp "$engine.cdx.json" "$into/linkcheck-engine.cdx.json"
	sed "s|\${ARCH}|$arch|; s|\${VERSION}|$version|; s|\${MAINTAINER}|$maintainer|; s|\${BUILD}|$into|" packaging/nfpm.yaml >"$into/nfpm.yaml"
	for kind in deb rpm; do
		CGO_ENABLED=0 go run "$nfpm" package --config "$into/nfpm.yaml" --packager $kind --target "$out/"
	done
	root=$out/container/$arch/root
	mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/data" "$root/tmp"
	cp "$bin" "$root/usr/bin/linkcheck"
	if [ -r /etc/ssl/certs/ca-certificates.crt ]; then
		cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
	else
		echo "dist: no /etc/ssl/certs/ca-certificates.crt here: put one into $root" >&2
	fi
	chmod 1777 "$root/tmp" "$root/data"
done
cd "$out"
find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS
ls -l
