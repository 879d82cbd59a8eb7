package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// ours reads rows of `report --jsonl`.
func ours(out []byte) (map[string]verdict, error) {
	said := map[string]verdict{}
	for line := range bytes.Lines(out) {
		var row struct{ URL, Outcome string }
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, err
		}
		switch row.Outcome {
		case "ok", "reachable":
			said[row.URL] = good
		case "moved":
			said[row.URL] = toUpdate
		case "gone", "unreachable", "invalid":
			said[row.URL] = bad
		default:
			said[row.URL] = uncertain
		}
	}
	return said, nil
}

// linkinator reads its JSON.
func linkinator(out []byte) (map[string]verdict, error) {
	var all struct{ Links []struct{ URL, State string } }
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, err
	}
	said := map[string]verdict{}
	for _, l := range all.Links {
		switch l.State {
		case "OK":
			said[l.URL] = good
		case "BROKEN":
			said[l.URL] = bad
		}
	}
	return said, nil
}

var tap = regexp.MustCompile(`(?m)^(not ok|ok) \d+ (external-check|external-redirect|load) (\S+)`)

// hyperlink reads its lines of TAP. A redirect has a line of its own before that of the link.
func hyperlink(out []byte) (map[string]verdict, error) {
	said := map[string]verdict{}
	for _, m := range tap.FindAllStringSubmatch(string(out), -1) {
		ok, what, url := m[1] == "ok", m[2], m[3]
		switch {
		case what == "external-redirect":
			said[url] = toUpdate
		case !ok:
			said[url] = bad
		case said[url] == unsaid:
			said[url] = good
		}
	}
	return said, nil
}

// linkchecker reads its CSV, whose heads name the columns.
func linkchecker(out []byte) (map[string]verdict, error) {
	r := csv.NewReader(bytes.NewReader(out))
	r.Comma, r.Comment, r.FieldsPerRecord, r.LazyQuotes = ';', '#', -1, true
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("no rows: %v", err)
	}
	column := map[string]int{}
	for i, head := range rows[0] {
		column[head] = i
	}
	said := map[string]verdict{}
	for _, row := range rows[1:] {
		if len(row) < 9 {
			continue
		}
		name, info := row[column["urlname"]], row[column["infostring"]]
		switch {
		case row[column["valid"]] != "True":
			said[name] = bad
		case strings.Contains(info, "Redirected to"):
			said[name] = toUpdate
		default:
			said[name] = good
		}
	}
	return said, nil
}

var asked = regexp.MustCompile(`(?m)^Checking link (\S+)`)

// checklink reads the report of the W3C: what was checked, then what is broken or redirected.
func checklink(out []byte) (map[string]verdict, error) {
	said := map[string]verdict{}
	for _, m := range asked.FindAllSubmatch(out, -1) {
		said[string(m[1])] = good
	}
	_, list, _ := strings.Cut(string(out), "\nList of ")
	url, verdictNow := "", bad
	for line := range strings.Lines("List of " + list) {
		line = strings.TrimSpace(line)
		switch {
		case line == "List of redirects":
			verdictNow = toUpdate
		case strings.HasPrefix(line, "List of "):
			verdictNow = bad
		case strings.HasPrefix(line, "http://"):
			url = line
		case strings.HasPrefix(line, "Code: ") && url != "":
			said[url], url = verdictNow, ""
		}
	}
	return said, nil
}

// statuses reads lines of a status and an address, as curl and the bare loop write them.
func statuses(out []byte) (map[string]verdict, error) {
	said := map[string]verdict{}
	for line := range strings.Lines(string(out)) {
		status, url, ok := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case !ok:
		case status[0] == '2':
			said[url] = good
		case status == "301" || status == "308":
			said[url] = toUpdate
		default:
			said[url] = bad
		}
	}
	return said, nil
}

// rowsOf reads addresses from rows of `extract --jsonl`.
func rowsOf(out []byte) (map[string]bool, error) {
	said := map[string]bool{}
	for line := range bytes.Lines(out) {
		var row struct{ URI string }
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, err
		}
		said[row.URI] = true
	}
	return said, nil
}

// linesOf reads addresses one a line.
func linesOf(out []byte) (map[string]bool, error) {
	said := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" {
			said[line] = true
		}
	}
	return said, nil
}
