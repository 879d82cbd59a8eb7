#!/usr/bin/env bash
# Fuzzes every target of the module, one at a time on each processor:
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

# fuzz_lane fuzzes the targets on its input, and keeps what it needs in a folder.
fuzz_lane() {
  local here=$1 package dir target binary cache each status last
  mkdir "$here"
  while read -r package dir target; do
    binary=$here/${package//\//_}.test
    if [ ! -e "$binary" ]; then
      rm -f "$here"/*.test
      go test -c -fuzz=. -ldflags='-s -w' -o "$binary" "$package" || { echo "$package: not built" >>"$here/failed"; continue; }
    fi
    cache=$here/cache
    [ -z "${FUZZCACHE:-}" ] || cache=$(go env GOCACHE)/fuzz/$package
    for each in "$time" 10s; do # which a target with many seeds needs to run these before it fuzzes
      (cd "$dir" && "$binary" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$each" \
        -test.fuzzminimizetime 5s -test.parallel 1 -test.timeout 0 -test.fuzzcachedir "$cache") >"$here/out" 2>&1 </dev/null
      status=$?
      last=$(grep -a '^fuzz: elapsed' "$here/out" | tail -n 1)
      [[ $last == *'gathering baseline'* ]] || break
    done
    echo "$package $target" >>"$here/done"
    if [ $status = 0 ]; then
      echo "$package $target: ${last#fuzz: }"
    elif ended_by_race "$target" <"$here/out"; then
      echo "$package $target: ended with its time (golang/go#75804)"
    else
      echo "$package $target: FAILED"$'\n'"$(cat -v "$here/out")"
      echo "$package $target" >>"$here/failed"
    fi
  done
}

# Each processor has a lane of packages, and each target one worker: while one lane links
# a test binary, which takes as long as a short run of its target, the others fuzz.
list | while read -r package dir target; do
  for word in "$@"; do [[ "$package $target" == *"$word"* ]] || continue 2; done
  echo "$package $dir $target"
done >"$work/list"
lanes=$(getconf _NPROCESSORS_ONLN)
for ((lane = 0; lane < lanes; lane++)); do
  awk -v lanes="$lanes" -v lane="$lane" '!($1 in place) { place[$1] = n++ } place[$1] % lanes == lane' "$work/list" | fuzz_lane "$work/$lane" &
done
wait
targets=$(cat "$work"/*/done 2>/dev/null | wc -l)
failed=$(cat "$work"/*/failed 2>/dev/null)
echo "$targets fuzz targets, $time each, $(grep -c . <<<"$failed") failed"
[ -z "$failed" ] || { sed 's/^/  /' <<<"$failed"; exit 1; }
[ "$targets" -gt 0 ] || { echo "no target fits"; exit 1; }
