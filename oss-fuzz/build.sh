#!/bin/bash
# Builds every fuzz target of the module for OSS-Fuzz. compile_native_go_fuzzer comes
# with its image; the targets are those that scripts/fuzz.sh finds, so that none has to
# be listed here. A target is named after its package: uri/equal FuzzKeys becomes
# fuzz_uri_equal_keys. Seeds that are kept in testdata/fuzz go along as its corpus.
set -euo pipefail
cd "$(dirname "$0")"
[ -e scripts/fuzz.sh ] || cd ..

# The shim that compile_native_go_fuzzer puts in the place of package testing.
printf 'package linkcheck\n\nimport _ "github.com/AdamKorcz/go-118-fuzz-build/testing"\n' >fuzzshim.go
go get github.com/AdamKorcz/go-118-fuzz-build/testing

scripts/fuzz.sh --list | while read -r package target; do
  folder=${package#linkcheck/}
  name=fuzz_${folder//\//_}_$(tr '[:upper:]' '[:lower:]' <<<"${target#Fuzz}")
  compile_native_go_fuzzer "$package" "$target" "$name"
  seeds=$folder/testdata/fuzz/$target
  [ ! -d "$seeds" ] || (cd "$seeds" && zip -qr "$OUT/${name}_seed_corpus.zip" .)
done
