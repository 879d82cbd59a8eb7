package ftp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// member is a thing in a folder.
type member struct {
	name   string
	words  string // about its state
	folder bool
}

// format is how the list of a command is read: ok says that a line is a row, or may be
// passed over, which is a row without a name.
type format func(line string) (r member, ok bool)

var (
	// What ls -l prints, in the spellings of servers: type, modes, some words, size, date.
	unixRow = regexp.MustCompile(`^([-?DLbcdlnps])[-?LSTlrstwx]{9}[-+.@]?\s(?:.*?\s)??(\d+)\s+` +
		`((?:[A-Z][a-z]{2}\s+\d{1,2}|\d{1,2}\s+[A-Z][a-z]{2})\s+(?:\d{1,2}:\d{2}|\d{4})|\d{4}-\d{2}-\d{2}\s+\d{1,2}:\d{2})\s(.+)$`)
	// What DIR prints: date, time, size or <DIR>.
	dirRow   = regexp.MustCompile(`^\d{2,4}[-/]\d{2}[-/]\d{2,4}\s+\d{1,2}:\d{2}\s*(?:[AaPp][Mm])?\s+(<DIR>|<JUNCTION>|[\d,.]+)\s+(\S.*)$`)
	factsRow = regexp.MustCompile(`^((?:[^ =;]+=[^;]*;)+) (.+)$`)
	totalRow = regexp.MustCompile(`(?i)^(?:total|insgesamt)\s+\d+`)
)

// listRow reads a row of LIST: as ls prints it, as DIR does, or the facts of MLSD, which
// some servers send in its place.
func listRow(line string) (r member, ok bool) {
	if m := unixRow.FindStringSubmatch(line); m != nil {
		r = member{name: m[4], folder: m[1] == "d" || m[1] == "D"}
		r.words = strings.TrimSpace(strings.TrimSuffix(line, m[4]))
		if m[1] == "l" {
			r.name, _, _ = strings.Cut(r.name, " -> ")
		}
		return r.here()
	}
	if m := dirRow.FindStringSubmatch(line); m != nil {
		r = member{name: m[2], folder: m[1] == "<DIR>", words: strings.TrimSpace(strings.TrimSuffix(line, m[2]))}
		return r.here()
	}
	if strings.TrimSpace(line) == "" || totalRow.MatchString(line) {
		return member{}, true
	}
	return factRow(line)
}

// factRow reads a row of MLSD, RFC 3659 section 7.2.
func factRow(line string) (r member, ok bool) {
	m := factsRow.FindStringSubmatch(line)
	if m == nil {
		return member{}, line == ""
	}
	facts := map[string]string{}
	for fact := range strings.SplitSeq(strings.TrimSuffix(m[1], ";"), ";") {
		name, value, _ := strings.Cut(fact, "=")
		facts[strings.ToLower(name)] = value
	}
	r = member{name: m[2], words: state(facts["modify"], facts["size"])}
	switch kind := strings.ToLower(facts["type"]); {
	case kind == "cdir" || kind == "pdir":
		return member{}, true
	case kind == "dir":
		r.folder = true
	case kind != "" && kind != "file":
		r.words = strings.TrimPrefix(r.words+";type="+kind, ";")
	}
	return r.here()
}

// nameRow reads a row of NLST.
func nameRow(line string) (member, bool) { return member{name: line}.here() }

// here passes over what is no thing in the folder itself.
func (r member) here() (member, bool) {
	switch {
	case r.name == "." || r.name == "..":
		return member{}, true
	case strings.ContainsAny(r.name, "/\x00\r\n"):
		return member{}, false
	}
	return r, true
}

// state are the words for the state of a file: as facts of MLSD.
func state(modify, size string) string {
	var words []string
	if modify != "" {
		words = append(words, "modify="+modify)
	}
	if size != "" {
		words = append(words, "size="+size)
	}
	return strings.Join(words, ";")
}

// sameState says whether the words of a row, or those of state, are of a file with this
// time (RFC 3659 section 2.3: UTC) and size.
func sameState(words, modify, size string) bool {
	if modify == "" || size == "" {
		return false
	}
	if words == state(modify, size) {
		return true
	}
	m := unixRow.FindStringSubmatch(words + " x")
	at, err := time.Parse("20060102150405", modify[:min(14, len(modify))])
	if m == nil || err != nil || m[2] != size {
		return false
	}
	date := strings.Join(strings.Fields(m[3]), " ")
	return slices.ContainsFunc(rowDates, func(layout string) bool { return at.Format(layout) == date })
}

// rowDates are the layouts of the dates in rows of listings.
var rowDates = []string{"Jan 2 15:04", "Jan 02 15:04", "Jan 2 2006", "Jan 02 2006", "2 Jan 15:04", "2 Jan 2006", "2006-01-02 15:04"}

// sizeOf is the size of a file by the words of a row, or those of state; 0: they have none, or
// that of a link.
func sizeOf(words string) int64 {
	size := ""
	if m := sizeFact.FindStringSubmatch(words); m != nil && !strings.Contains(words, ";type=") {
		size = m[1]
	} else if m := unixRow.FindStringSubmatch(words + " x"); m != nil && m[1] == "-" {
		size = m[2]
	} else if m := dirRow.FindStringSubmatch(words + " x"); m != nil {
		size = strings.NewReplacer(",", "", ".", "").Replace(m[1])
	}
	n, _ := strconv.ParseInt(size, 10, 64)
	return n
}

var sizeFact = regexp.MustCompile(`(?:^|;)size=(\d+)(?:;|$)`)
