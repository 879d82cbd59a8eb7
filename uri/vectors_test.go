package uri

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sharedVectors is beside the repository; the rows that ship are in corpusVectors.
const (
	sharedVectors = "../../shared/vectors"
	corpusVectors = "../testdata/corpus/uri"
)

var schemeFiles = []string{
	"common", "ftp", "gopher", "news", "nntp", "telnet", "wais", "file", "prospero", "z3950", "info", "go", "http",
}

// readTSV gives the rows of a vectors file without its header.
func readTSV(t *testing.T, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	want := len(strings.Split(lines[0], "\t"))
	var rows [][]string
	for _, line := range lines[1:] {
		f := strings.Split(strings.TrimRight(line, "\r"), "\t")
		for len(f) < want {
			f = append(f, "")
		}
		rows = append(rows, f)
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", path)
	}
	return rows
}

// eachVectors runs f over the named file of the shared and the shipped vectors.
func eachVectors(t *testing.T, name string, f func(t *testing.T, rows [][]string)) {
	t.Helper()
	for _, dir := range []string{sharedVectors, corpusVectors} {
		path := filepath.Join(dir, name+".tsv")
		if _, err := os.Stat(path); err != nil {
			if dir == corpusVectors {
				t.Fatal(err)
			}
			t.Run("absent", func(t *testing.T) { t.Skipf("%s is absent", path) })
			continue
		}
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			rows := readTSV(t, path)
			f(t, rows)
			t.Logf("%s: %d rows", name, len(rows))
		})
	}
}

func TestSchemeVectors(t *testing.T) {
	for _, name := range schemeFiles {
		t.Run(name, func(t *testing.T) {
			eachVectors(t, name, func(t *testing.T, rows [][]string) {
				eq := map[string]string{}
				for _, r := range rows {
					checkSchemeRow(t, r, eq)
				}
			})
		})
	}
}

func checkSchemeRow(t *testing.T, r []string, eq map[string]string) {
	t.Helper()
	id, in, valid, code, comps, syn, sch, group := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
	u, err := Parse(in)
	if err != nil {
		e := err.(*Error)
		if valid != "no" || e.Code != code {
			t.Errorf("%s %s: rejected with %s; want %s %s", id, in, e.Code, valid, code)
		}
		return
	}
	if got := u.Validity().String(); got != valid || u.Code() != code {
		t.Errorf("%s %s: %s %q; want %s %q", id, in, got, u.Code(), valid, code)
	}
	if valid == "no" {
		return
	}
	sameJSON(t, id, string(components(u)), comps)
	k := KeysOf(u)
	if k.Syntax != syn || k.Scheme != sch {
		t.Errorf("%s %s: keys\n got %s | %s\nwant %s | %s", id, in, k.Syntax, k.Scheme, syn, sch)
	}
	if was, ok := eq[group]; ok && was != k.Scheme {
		t.Errorf("%s: group %s has %s and %s", id, group, was, k.Scheme)
	}
	eq[group] = k.Scheme
}

func sameJSON(t *testing.T, id, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s: components\n got %s\nwant %s", id, got, want)
	}
}

func TestCheckDigitVectors(t *testing.T) {
	eachVectors(t, "checkdigit", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got := checkDigit(r[1], r[2])
			if got.Valid != (r[3] == "yes") || got.Check != r[4] {
				t.Errorf("%s %s %s: %v %q; want %s %q", r[0], r[1], r[2], got.Valid, got.Check, r[3], r[4])
			}
		}
	})
}

func TestRegistryVectors(t *testing.T) {
	eachVectors(t, "info_registry", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			u, err := Parse(r[1])
			if err != nil {
				t.Errorf("%s: %v", r[0], err)
				continue
			}
			st := DefaultRegistry().Standing(u.(*Info))
			got := []string{st.Valid, strings.Join(st.Reasons, ","), syntaxKey(u), SchemeKey(u), st.Key, st.Status}
			want := []string{r[2], r[3], r[5], r[6], r[7], r[8]}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s:\n got %q\nwant %q", r[0], r[1], got, want)
			}
			sameJSON(t, r[0], string(components(u)), r[4])
		}
	})
}

func TestPairVectors(t *testing.T) {
	eachVectors(t, "pairs", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got := (Rules{}).Compare(r[1], r[2])
			want := r[3] + " " + r[4] + " " + strings.Trim(r[5], "-")
			if g := string(got.Equality) + " " + got.Level + " " + strings.Join(got.Reasons, ","); g != want {
				t.Errorf("%s %s %s:\n got %s\nwant %s", r[0], r[1], r[2], g, want)
			}
			if back := (Rules{}).Compare(r[2], r[1]); back.Equality != got.Equality || back.Level != got.Level {
				t.Errorf("%s: not symmetric: %v %v", r[0], got, back)
			}
		}
	})
}

func TestRelativeVectors(t *testing.T) {
	eachVectors(t, "relative", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got, err := Resolve(r[1], r[2])
			if err != nil {
				got = "REFUSE"
			}
			if got != r[3] {
				t.Errorf("%s %s + %s: %s; want %s", r[0], r[1], r[2], got, r[3])
			}
		}
	})
}

func TestWrapperVectors(t *testing.T) {
	eachVectors(t, "wrapper", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			text := strings.ReplaceAll(r[1], `\n`, "\n")
			if r[3] == "ocr-repair" {
				if got, ok := RepairOCR(text); !ok || got != r[2] {
					t.Errorf("%s: guessed %q %v; want %q", r[0], got, ok, r[2])
				}
				continue
			}
			got, codes := Unwrap(text)
			if got != r[2] || strings.Join(codes, ",") != r[3] {
				t.Errorf("%s: %q %q; want %q %q", r[0], got, codes, r[2], r[3])
			}
		}
	})
}
