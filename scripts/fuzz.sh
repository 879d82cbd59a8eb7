#!/usr/bin/env bash
# Fuzzes every target of the module, one after the other:
#
#   scripts/fuzz.sh 60s              each for a minute
#   scripts/fuzz.sh 20s Mask uri/    those whose package and name fit all of these words
#   scripts/fuzz.sh --list           package and name of each, and nothing else
#   scripts/fuzz.sh --judge TARGET   judges the output of one that failed, from standard input
#
# The test binary of a package is built once, without what debuggers read: that links a
# little sooner, and is a third smaller. A target begins with the seeds that are kept:
# those of its f.Add and of testdata/fuzz. With FUZZCACHE=1 what earlier runs on this
# machine found interesting comes in too. An input that breaks a law is written to
# testdata/fuzz beside the target: keep it with the mending.
set -uo pipefail
cd "$(dirname "$0")/.."

list() {
  go list -f '{{.ImportPath}} {{.Dir}} {{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}' ./... |
    while read -r package dir files; do
      [ -z "$files" ] || (cd "$dir" && sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(.*|$package $dir \1|p" $files)
    done
}

# A fuzz run that ends at its time may fail with a bare "context deadline exceeded":
# a race in Go's own coordinator (golang/go#75804, mended in Go 1.27). It is told from
# a fault by its whole output: after the lines of progress nothing but the name, this
# sentence and FAIL. A fault prints what broke, and where the input was written.
ended_by_race() {
  grep -v -e '^fuzz: ' -e '^warning: ' | tr -d '\r' | awk -v target="$1" '
    NR == 1 && $0 ~ "^--- FAIL: " target " \\([0-9.]+s\\)$" { ok++; next }
    NR == 2 && $0 == "    context deadline exceeded"         { ok++; next }
    NR >= 3 && ($0 == "FAIL" || $0 ~ /^exit status 1$/)      { next }
    { ok = -9 }
    END { exit !(ok == 2) }'
}

case ${1:?the time for each target, --list or --judge} in
  --list) list | awk '{ print $1, $3 }'; exit ;;
  --judge) ended_by_race "${2:?the name of the target}"; exit ;;
esac
time=$1; shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
targets=0; failed=()
while read -r package dir target; do
  for word in "$@"; do [[ "$package $target" == *"$word"* ]] || continue 2; done
  binary=$work/${package//\//_}.test
  if [ ! -e "$binary" ]; then
    rm -f "$work"/*.test
    go test -c -fuzz=. -ldflags='-s -w' -o "$binary" "$package" || { failed+=("$package: not built"); continue; }
  fi
  cache=$work/cache
  [ -z "${FUZZCACHE:-}" ] || cache=$(go env GOCACHE)/fuzz/$package
  printf '%s %s: ' "$package" "$target"
  (cd "$dir" && "$binary" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" \
    -test.fuzzminimizetime 5s -test.parallel 2 -test.timeout 0 -test.fuzzcachedir "$cache") >"$work/out" 2>&1 </dev/null
  status=$?
  targets=$((targets + 1))
  if [ $status = 0 ]; then
    grep -a '^fuzz: elapsed' "$work/out" | tail -n 1 | sed 's/^fuzz: //'
  elif ended_by_race "$target" <"$work/out"; then
    echo "ended with its time (golang/go#75804)"
  else
    echo "FAILED"
    cat -v "$work/out"
    failed+=("$package $target")
  fi
done < <(list)
echo "$targets fuzz targets, $time each, ${#failed[@]} failed"
[ ${#failed[@]} = 0 ] || { printf '  %s\n' "${failed[@]}"; exit 1; }
[ $targets -gt 0 ] || { echo "no target fits"; exit 1; }
