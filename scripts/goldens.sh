#!/usr/bin/env bash
# goldens.sh BINARY OUTDIR records what a linkcheck program does: the demo and every
# form of its report, extraction of the corpora, normalization and comparison of the
# vectors, a store of the first version, help texts, man pages and exit codes.
#
# Two records of one program are byte for byte equal, so `diff -r` of the records of two
# programs shows what a change of the source changed of the behaviour. What differs from
# one execution to the next is masked: milliseconds, times of files, the sum over rows with
# them at the end of an export, ports of the demo's servers, and the present (written NOW
# where a program uses the machine's clock).
# Recorded server sessions (../shared/transcripts) are held by tests, not by this.
set -euo pipefail

[ $# = 2 ] || { echo "usage: $0 BINARY OUTDIR" >&2; exit 2; }
bin=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
mkdir -p "$2"
out=$(realpath "$2")
[ -z "$(ls -A "$out")" ] || { echo "$0: $out is not empty" >&2; exit 2; }
shared=$root/../shared
# One name for all executions: a store keeps whole paths, and orders by a sum over them.
work=$(realpath "${TMPDIR:-/tmp}")/linkcheck-goldens
mkdir -m 700 "$work" || { echo "$0: another one is under way, or $work was left behind" >&2; exit 2; }
lab=
trap '[ -z "$lab" ] || kill "$lab" 2>/dev/null; rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC HOME=$work TERM=dumb COLUMNS=100 USER=tester LOGNAME=tester
unset NO_COLOR http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
for v in $(env | sed -n 's/^\(LINKCHECK_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done
begin=$(date -u +%Y-%m-%dT%H:%M)
first=2026-11-14T02:00:00Z # the demo's first night
after=2026-11-22T02:00:00Z # the morning after its last

# mask hides in its input what differs between two executions of one program.
mask() {
  sed -E -e "s#$work#WORK#g; s#$root#ROOT#g; s#$bin#linkcheck#g" \
    -e 's/T02:00:[0-9]{2}(\.[0-9]+)?Z/T02:00:00Z/g' \
    -e 's/"(mod_time_ns|ms)":[0-9]+/"\1":0/g; s/,"took_ns":[0-9]+//g; s/,"modified":"[^"]*"//' \
    -e '/"table":"state"|"reason":"(nntp|ftp)-/s/,"bytes":[0-9]+//g' \
    -e 's/("xxh64":")[0-9a-f]+/\1HASH/' \
    -e 's/127\.0\.0\.1:[0-9]{4,5}/127.0.0.1:PORT/g' |
    awk -v begin="$begin" -v end="$(date -u +%Y-%m-%dT%H:%M)" '{
      line = ""
      while (match($0, /20[0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9](:[0-9][0-9](\.[0-9]+)?)?/)) {
        stamp = substr($0, RSTART, RLENGTH)
        minute = substr(stamp, 1, 10) "T" substr(stamp, 12, 5)
        if (minute >= begin && minute <= end) stamp = "NOW"
        line = line substr($0, 1, RSTART - 1) stamp
        $0 = substr($0, RSTART + RLENGTH)
      }
      print line $0
    }'
}

# record NAME ARG... runs the program in the current folder, with standard input as it
# is, and keeps its output, what it says on standard error and its exit code.
record() {
  local name=$1 code=0
  shift
  mkdir -p "$(dirname "$out/$name")"
  "$bin" "$@" >"$work/stdout" 2>"$work/stderr" || code=$?
  mask <"$work/stdout" >"$out/$name.out"
  mask <"$work/stderr" >"$work/masked"
  if [ -s "$work/masked" ]; then cp "$work/masked" "$out/$name.err"; fi
  echo "$code $name: $*" | mask >>"$out/exit-codes.txt"
}

# keep NAME FILE keeps a file that the program wrote.
keep() {
  mkdir -p "$(dirname "$out/$1")"
  if [ -e "$2" ]; then mask <"$2" >"$out/$1"; else echo "not written" >"$out/$1"; fi
}

help_texts() {
  record help/root --help
  record help/version --version
  record help/exit-codes help exit-codes
  local verb sub
  for verb in $("$bin" --help | sed -n '/^Available Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    record "help/$verb" "$verb" --help
  done
  for sub in $("$bin" store --help | sed -n '/^Available Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    record "help/store-$sub" store "$sub" --help
  done
  record help/man man "$work/man"
  local page
  for page in "$work"/man/*; do
    # The date at the head of a page is the month it was made in.
    sed -E '1,5s/"[A-Z][a-z]{2} [0-9]{4}"/"DATE"/' "$page" >"$work/page"
    keep "help/man/$(basename "$page")" "$work/page"
  done
  record help/init init "$work/init.toml"
  keep help/init.toml "$work/init.toml"
}

schemes() {
  record schemes/table schemes
  record schemes/json schemes --json
  record schemes/reasons schemes --reasons
  record schemes/reasons-json schemes --reasons --json
  record schemes/flags schemes --flags
  record schemes/flags-json schemes --flags --json
}

# reports DIR STORE TIME records every form of the report of a store.
reports() {
  local dir=$1 store=$2 now=$3 lang form
  local of=(--store "$store" --now "$now")
  for lang in en de; do
    record "$dir/text.$lang" report "${of[@]}" --lang "$lang"
    record "$dir/summary.$lang" report "${of[@]}" --lang "$lang" --summary
    record "$dir/since.$lang" report "${of[@]}" --lang "$lang" --summary --since 1
    record "$dir/csv.$lang" report "${of[@]}" --lang "$lang" --csv -
    record "$dir/tsv.$lang" report "${of[@]}" --lang "$lang" --csv - --tsv
    record "$dir/jsonl.$lang" report "${of[@]}" --lang "$lang" --jsonl -
    record "$dir/fixes.$lang" report "${of[@]}" --lang "$lang" --fixes -
    for form in director junit sarif gitlab github markdown atom; do
      record "$dir/$form.$lang" report "${of[@]}" --lang "$lang" "--$form" -
    done
    record "$dir/html.$lang" report "${of[@]}" --lang "$lang" --html "$work/page.html"
    keep "$dir/page.$lang.html" "$work/page.html"
    record "$dir/xlsx.$lang" report "${of[@]}" --lang "$lang" --xlsx "$work/book.xlsx"
    rm -rf "$work/book"
    unzip -q -o "$work/book.xlsx" -d "$work/book"
    (cd "$work/book" && find . -type f | sort) | while read -r part; do
      keep "$dir/book.$lang/$part" "$work/book/$part"
    done
    record "$dir/dupes.$lang" dupes "${of[@]}" --lang "$lang"
    record "$dir/dupes-final.$lang" dupes "${of[@]}" --lang "$lang" --by final
  done
  record "$dir/dupes-json" dupes "${of[@]}" --json
  record "$dir/dupes-final-json" dupes "${of[@]}" --json --by final
  record "$dir/unique" report "${of[@]}" --csv - --unique
  record "$dir/bom" report "${of[@]}" --csv - --bom --spreadsheet-safe all
  record "$dir/only" report "${of[@]}" --csv - --only fix,update,check,newly-dead
  record "$dir/records" report "${of[@]}" --csv - --record-url 'https://ils.example/bib/{id}'
  record "$dir/metrics" report "${of[@]}" --metrics -
  record "$dir/export" store export --store "$store"
  record "$dir/verify" store verify --store "$store"
}

demo() {
  cd "$work"
  local now=()
  if grep -q -e '--now' <<<"$("$bin" demo --help)"; then now=(--now "$first"); fi
  record demo/demo demo --dir wells "${now[@]}"
  sed -i 's/ --now [^ ]*$//' "$out/exit-codes.txt"
  keep demo/report.html wells/report.html
  reports demo wells/demo.db "$after"
  local uri
  "$bin" report --store wells/demo.db --jsonl - --now "$after" 2>/dev/null |
    sed -n 's/.*"url":"\([^"\\]*\)".*/\1/p' | sort -u >uris
  local i=0
  while read -r uri; do
    i=$((i + 1))
    record "explain/$i" explain --store wells/demo.db --now "$after" "$uri"
  done <uris
  record explain/unknown explain --store wells/demo.db --now "$after" http://nowhere.test/
  record explain/no-store explain --store none.db --now "$after" 'z39.50r://melvyl.ucop.edu/mags?elecworld.v30.n19'

  cp wells/demo.db marked.db
  local of=(--store marked.db --now "$after" --why "held by hand" --by tester)
  record mark/alive mark http://www.wells.test/ alive "${of[@]}"
  record mark/dead mark ftp://ftp.loc.gov/pub/z3950/ dead "${of[@]}"
  record mark/ignore mark gopher.wells.test ignore "${of[@]}"
  record mark/unknown mark http://nowhere.test/ alive "${of[@]}"
  record mark/usage mark http://www.wells.test/ perhaps "${of[@]}"
  record mark/report report --store marked.db --now "$after" --jsonl -
  record mark/remove mark gopher.wells.test --remove --store marked.db --now "$after"
  record mark/after report --store marked.db --now "$after" --jsonl -
  record store/prune store prune --store marked.db --older 1d --now 2027-11-22T02:00:00Z
  record store/compact store compact --store marked.db
  record store/backup store backup --store marked.db copy.db
  "$bin" store export --store marked.db >export.jsonl
  record store/import store import --store imported.db export.jsonl
  record store/imported store export --store imported.db
  record store/pruned report --store imported.db --now "$after" --jsonl -
}

# checks asks the demo's servers, kept running, what they say of the demo's links.
checks() {
  cd "$work"
  "$bin" demo --lab >lab.toml 2>/dev/null &
  lab=$!
  local tries=0
  until grep -qs '^\]' lab.toml || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
  record check/json check --config lab.toml --now "$first" --json - <uris
  record check/text check --config lab.toml --now "$first" - <uris
  record check/deutsch check --config lab.toml --now "$first" --lang de - <uris
  record run/run run --config lab.toml --now "$first" --store night.db --contact tester@wells.test wells/documents
  reports run night.db "$after"
  record run/again run --config lab.toml --now "$after" --store night.db --contact tester@wells.test --quiet --fail-on dead wells/documents
  kill "$lab"
  wait "$lab" 2>/dev/null || true
  lab=
}

# corpus NAME DIR records the links of every document below a folder.
corpus() {
  cd "$2"
  record "extract/$1" extract --jsonl .
  record "extract/$1-text" extract --comments .
  cd "$work"
}

# vectors NAME DIR records normalization and comparison of tables of URIs.
vectors() {
  local table name
  cd "$work"
  for table in "$2"/*.tsv; do
    name=$(basename "$table" .tsv)
    tail -n +2 "$table" | cut -f2 >inputs
    record "normalize/$1-$name" normalize --json <inputs
    record "normalize/$1-$name-text" normalize <inputs
    head -n 1 "$table" | grep -q '^id	a	b' || continue
    tail -n +2 "$table" | cut -f2,3 >inputs
    record "compare/$1-$name" compare --json <inputs
    record "compare/$1-$name-text" compare <inputs
  done
  for table in "$2"/peers/*/*.json; do
    [ -e "$table" ] || continue
    name=$(basename "$(dirname "$table")")-$(basename "$table" .json)
    sed -n 's/^.*"input": "\(.*\)",*$/\1/p; s/^ *"\(.*\)": .*/\1/p' "$table" >inputs
    record "normalize/$1-$name" normalize --json <inputs
  done
}

first_version() {
  cd "$work"
  local packed
  packed=$(cd "$root" && find . -name v1.db.gz | head -n 1)
  [ -n "$packed" ] || { echo "$0: left out: the store of the first version (v1.db.gz)" >&2; return 0; }
  gzip -dc "$root/$packed" >v1.db
  reports v1 v1.db "$after"
}

exit_codes() {
  cd "$work"
  record usage/no-verb
  record usage/unknown-verb frobnicate
  record usage/unknown-flag report --frobnicate
  record usage/no-store report --store none.db
  record usage/bad-time report --store wells/demo.db --now yesterday
  record usage/bad-only report --store wells/demo.db --only nonsense
  record usage/bad-lang report --store wells/demo.db --lang xx
  record usage/demo-again demo --dir wells
  record usage/nights demo --nights 0
  record usage/extract-nothing extract
  record usage/extract-missing extract missing.txt
  record usage/bad-config report --config missing.toml
  record usage/compare-one compare http://a.example/
  record usage/not-a-store report --store uris
  record usage/check-nothing check --store none.db
  record usage/completion completion bash
  printf 'links: http://a.example/ and <URL:ftp://b.example/x>\n' >stdin.txt
  record extract/stdin extract - <stdin.txt
  record extract/as-html extract --input html --base http://c.example/ - <stdin.txt
}

help_texts
schemes
demo
checks
corpus shipped "$root/testdata/corpus"
vectors shipped "$root/testdata/corpus/uri"
if [ -d "$shared/corpus" ]; then corpus shared "$shared/corpus"; else echo "$0: left out: ../shared/corpus" >&2; fi
if [ -d "$shared/vectors" ]; then vectors shared "$shared/vectors"; else echo "$0: left out: ../shared/vectors" >&2; fi
first_version
exit_codes
echo "$(find "$out" -type f | wc -l) files in $out"
