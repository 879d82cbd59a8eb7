package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/page"
	"linkcheck/extract/textscan"
)

// The corpus is labelled by hand: testdata/corpus/labels/*.tsv name every link
// of a document with its location and class.
//
//	must      has to be given out
//	hostpath  has to be given out, as host:/path
//	may       right or absent
//	not       must not be given out; the note says why
//	or        another spelling or place of the label above: one of them is given out
//
// A file with a comment "# lines A B" judges only those lines of its document, one with
// "# base URI" reads it with that base.
type label struct {
	source, uri, location, class string
	used                         bool
}

// How a labelled document is read, and how much of it is judged.
type reading struct {
	lines
	base string
}

const enough = 0.98 // of precision and of recall, over all

// optional are the words of How for what may be left out (EXTRACTION.md).
var optional = []string{page.HowText, textscan.HowWWW, "action", "codebase", "css", "meta", "json-ld", "ping", "prose", "header"}

// lines is the part of a document that its labels speak of; the zero value is all of it.
type lines struct{ from, to int }

func (l lines) have(n int) bool { return l.to == 0 || l.from <= n && n <= l.to }

func readLabels(t *testing.T, file string) (labels []label, how reading) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			fmt.Sscanf(line, "# lines %d %d", &how.from, &how.to)
			fmt.Sscanf(line, "# base %s", &how.base)
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 4 || !slices.Contains([]string{"must", "hostpath", "may", "not", "or"}, f[3]) {
			t.Fatalf("%s:%d: bad label %q", file, n+1, line)
		}
		labels = append(labels, label{source: f[0], uri: f[1], location: f[2], class: f[3]})
	}
	return labels, how
}

// labelled finds a document among those the project ships, or beside it.
func labelled(source string) (string, bool) {
	for _, dir := range []string{"../testdata/corpus", "../../shared/corpus"} {
		p := filepath.Join(dir, source)
		if _, err := os.Stat(p); err == nil {
			return p, true
		}
	}
	return "", false
}

type score struct{ hit, missed, wrong int }

func (s score) String() string {
	return fmt.Sprintf("precision %.4f  recall %.4f  (%d right, %d missed, %d wrong)", s.precision(), s.recall(), s.hit, s.missed, s.wrong)
}

func (s score) precision() float64 { return float64(s.hit) / float64(max(1, s.hit+s.wrong)) }
func (s score) recall() float64    { return float64(s.hit) / float64(max(1, s.hit+s.missed)) }

func (s *score) add(o score) {
	s.hit, s.missed, s.wrong = s.hit+o.hit, s.missed+o.missed, s.wrong+o.wrong
}

func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../testdata/corpus/labels/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no labels: %v", err)
	}
	kinds := map[string]*score{}
	var total score
	documents := 0
	for _, file := range files {
		labels, how := readLabels(t, file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			path, ok := labelled(labels[0].source)
			if !ok {
				t.Skipf("missing: ../shared/corpus/%s", labels[0].source)
			}
			documents++
			s := scoreDocument(t, path, labels, how)
			t.Logf("%v", s)
			kind := kindOf(labels[0].source)
			if kinds[kind] == nil {
				kinds[kind] = &score{}
			}
			kinds[kind].add(s)
			total.add(s)
		})
	}
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		t.Logf("%-8s %v", k, *kinds[k])
	}
	t.Logf("%-8s %v in %d documents", "all", total, documents)
	if documents == 0 || total.precision() < enough || total.recall() < enough {
		t.Errorf("below %.2f, or nothing read", enough)
	}
}

// kindOf says to which kind a document is counted: its folder, or its extension among the papers of all kinds.
func kindOf(source string) string {
	kind, name, _ := strings.Cut(source, "/")
	if kind == "papers" {
		return "papers " + strings.TrimPrefix(filepath.Ext(name), ".")
	}
	return kind
}

// scoreDocument compares what is found with the labels, location included.
func scoreDocument(t *testing.T, path string, labels []label, how reading) score {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s score
	for found, err := range extract.Document(path, f, doc.Options{Base: how.base}) {
		if err != nil {
			t.Logf("damage: %v", err)
			continue
		}
		if !how.have(found.Line) {
			continue
		}
		switch l := find(labels, found); {
		case l != nil && l.class != "not":
			if l.class != "may" {
				s.hit++
			}
		case l == nil && slices.Contains(optional, found.How):
		default:
			s.wrong++
			t.Logf("wrong: line %d record %q %s (%s)", found.Line, found.Record, found.URI, found.How)
		}
	}
	for _, l := range labels {
		if !l.used && (l.class == "must" || l.class == "hostpath") {
			s.missed++
			t.Logf("missed: %s %s", l.location, l.uri)
		}
	}
	return s
}

// find gives the unused label of what was found: the same reference in the same
// location. A class of hostpath wants to have been recognised as one.
func find(labels []label, f doc.Found) *label {
	for i := range labels {
		l := &labels[i]
		if l.used || l.uri != f.URI && (f.URI != "" || l.uri != f.Raw) {
			continue
		}
		if l.location != strconv.Itoa(f.Line) && l.location != f.Record && l.location != f.Locator && l.location != f.Record+" "+f.Locator {
			continue
		}
		if l.class == "hostpath" && f.How != textscan.HowHostPath {
			continue
		}
		return use(labels, i)
	}
	return nil
}

// use gives a label, and marks it with all of its spellings as used.
func use(labels []label, i int) *label {
	for labels[i].class == "or" {
		i--
	}
	first := &labels[i]
	first.used = true
	for i++; i < len(labels) && labels[i].class == "or"; i++ {
		labels[i].used = true
	}
	return first
}
