// Package report turns a store into what people and programs read: a page, a
// table, a mail, lists for batch tools. It reads links, mentions, history and
// runs through [Source], asks nobody, and changes nothing.
//
// [Build] makes one pass and keeps sums only; what has a row for every link or
// mention (CSV, TSV, JSONL, XLSX, the page's data) is streamed from the source a
// second time. All words stand in words/*.txt, one file a language; codes are
// never translated. Two reports of one store at one time are equal to the byte.
package report
