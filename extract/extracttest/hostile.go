package extracttest

import (
	"bytes"
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

//go:embed hostile.tsv
var hostileTable string

// Hostile is a document that is made to cost much: a unit that is repeated until the
// document is long enough, between a prefix and a suffix.
type Hostile struct {
	Name, File           string // of the row and of the document
	prefix, unit, suffix string
}

// HostileDocuments gives the rows of hostile.tsv.
func HostileDocuments(t testing.TB) []Hostile {
	var rows []Hostile
	for line := range strings.Lines(hostileTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			t.Fatalf("hostile.tsv: %q has %d columns", line, len(f))
		}
		for i := range f {
			s, err := strconv.Unquote(`"` + strings.ReplaceAll(f[i], `"`, `\"`) + `"`)
			if err != nil {
				t.Fatalf("hostile.tsv: %q: %v", line, err)
			}
			f[i] = longWord.ReplaceAllStringFunc(s, func(n string) string {
				size, _ := strconv.Atoi(strings.Trim(n, "{}"))
				return strings.Repeat("x", size)
			})
		}
		rows = append(rows, Hostile{f[0], f[1], f[2], f[3], f[4]})
	}
	return rows
}

// longWord stands for so many letters.
var longWord = regexp.MustCompile(`\{[0-9]{3,}\}`)

// Least is the length of what is not repeated.
func (h Hostile) Least() int { return len(h.prefix) + len(h.suffix) }

// Document is a document of about n octets.
func (h Hostile) Document(n int) []byte {
	var b bytes.Buffer
	b.WriteString(h.prefix)
	for i := 0; i == 0 || b.Len() < n-len(h.suffix); i++ {
		b.WriteString(strings.ReplaceAll(h.unit, "{n}", strconv.Itoa(i)))
	}
	b.WriteString(h.suffix)
	return b.Bytes()
}
