package registry

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/internal/vectors"
)

// TestRegistryFile: a librarian's own namespaces and resolvers.
func TestRegistryFile(t *testing.T) {
	const own = `
[[namespace]]
name = "shelf"
title = "our shelf marks"
case = "upper"
strip = ["shelf:"]
remove = "-"
valid = '^[A-Z]{2}[0-9]+$'

[[resolver]]
code = "our-catalogue"
hosts = ["opac.example.org"]
path = "/mark/"
namespace = "shelf"
`
	reg, err := Load(strings.NewReader(own))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reg.spaces); n != 30 {
		t.Errorf("%d namespaces; want 30", n)
	}
	u, err := uri.Parse("info:shelf/shelf:qa-76")
	if err != nil {
		t.Fatal(err)
	}
	st := reg.Standing(u.(*uri.Info))
	want := Standing{"own", "yes", []string{"shelf-prefix", "shelf-punctuation", "shelf-case"}, "info:shelf/QA76", "reg:shelf"}
	if st.Status != want.Status || st.Valid != want.Valid || st.Key != want.Key || !slices.Equal(st.Reasons, want.Reasons) {
		t.Errorf("got %+v; want %+v", st, want)
	}
}

func TestRegistryFileRefused(t *testing.T) {
	for in, want := range map[string]string{
		"[[namespace]]\nname = \"x\"\nkase = \"upper\"\n": `unknown key "namespace.kase"`,
		"[[namespace]]\nname = \"X\"\n":                   `namespace "X"`,
		"[[namespace]]\nname = \"x\"\ncase = \"title\"\n": `case "title"`,
		"[[namespace]]\nname = \"x\"\nrule = \"y\"\n":     `unknown rule "y"`,
		"[[namespace]]\nname = \"x\"\nvalid = \"(\"\n":    "namespace x",
		"[[resolver]]\ncode = \"x\"\n":                    `resolver "x"`,
		"colour = 1\n":                                    `unknown key "colour"`,
		"[[":                                              "registry",
		strings.Repeat("# a comment\n", maxFile/12+10):    "bytes",
	} {
		if _, err := Load(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v; want %s", in, err, want)
		}
	}
}

func TestRegistryEmbedded(t *testing.T) {
	reg, err := frozen()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reg.spaces); n != 29 {
		t.Errorf("%d namespaces; want the 29 of the frozen registry", n)
	}
}

// TestWarnings: check digits warn, they never merge (INFO-REGISTRY.md).
func TestWarnings(t *testing.T) {
	for in, want := range map[string]string{
		"info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-V": "",
		"info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-W": "sici-check-digit",
		"info:lccn/2002022641":                               "",
		"info:lccn/2002022641x":                              "lccn-syntax",
		"info:isbn/9780306406157":                            "info-ns-unregistered",
		"info:pii/S0888-7543(02)96852-7":                     "info-ns-unregistered",
		"info:pii/S0888-7544(02)96852-7":                     "info-ns-unregistered,pii-check-digit",
		"urn:isbn:0-306-40615-2":                             "",
		"URN:ISBN:0-306-40615-X":                             "isbn-check-digit",
		"urn:issn:0363-0277":                                 "",
		"urn:issn:0363-0278":                                 "issn-check-digit",
		"http://h.dom/":                                      "",
	} {
		u, err := uri.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(Default().Warnings(u), ","); got != want {
			t.Errorf("%s: %s; want %s", in, got, want)
		}
	}
}

func TestCheckDigitVectors(t *testing.T) {
	vectors.Each(t, "checkdigit", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got := checkRow(r[1], r[2])
			if got.Valid != (r[3] == "yes") || got.Check != r[4] {
				t.Errorf("%s %s %s: %v %q; want %s %q", r[0], r[1], r[2], got.Valid, got.Check, r[3], r[4])
			}
		}
	})
}

func TestRegistryVectors(t *testing.T) {
	vectors.Each(t, "info_registry", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			u, err := uri.Parse(r[1])
			if err != nil {
				t.Errorf("%s: %v", r[0], err)
				continue
			}
			st := Default().Standing(u.(*uri.Info))
			syntax, scheme := uri.Normalize(u)
			got := []string{st.Valid, strings.Join(st.Reasons, ","), syntax.Text, scheme.Text, st.Key, st.Status}
			want := []string{r[2], r[3], r[5], r[6], r[7], r[8]}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s:\n got %q\nwant %q", r[0], r[1], got, want)
			}
			sameJSON(t, r[0], string(uri.Components(u)), r[4])
		}
	})
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

// checkRow is checkDigit, and the kinds that are combined of what the registry knows:
// "isbn-equal" for "A = B", and NAMESPACE-structure.
func checkRow(kind, value string) checkResult {
	if a, b, ok := strings.Cut(value, "="); ok && kind == "isbn-equal" {
		x, y := ISBN13(a), ISBN13(b)
		return checkResult{Valid: x != "" && x == y}
	}
	name, ok := strings.CutSuffix(kind, "-structure")
	if ns := Default().spaces[name]; ok && ns != nil {
		return checkResult{Valid: ns.valid != nil && ns.valid.MatchString(value) || ns.unknown != nil && ns.unknown.MatchString(value)}
	}
	return checkDigit(kind, value)
}

// checkDigit checks value by kind, as the vectors name the kinds.
func checkDigit(kind, value string) checkResult {
	switch kind {
	case "issn":
		return weighted(value, 8)
	case "isbn10":
		return weighted(value, 10)
	case "isbn13":
		return isbn13(value)
	case "sici":
		return sici(value)
	case "pii-issn", "pii-isbn":
		return pii(value)
	}
	return checkResult{}
}
