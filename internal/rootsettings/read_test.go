package rootsettings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/harvest"
)

// parse reads the tables of a text.
func parse(t *testing.T, text string) ([]Setting, error) {
	t.Helper()
	var file map[string][]map[string]any
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	var list []Source
	for i, values := range file["root"] {
		list = append(list, Source{values, func(key string) string { return fmt.Sprintf("f:%d.%s", i, key) }})
	}
	if len(list) == 0 {
		t.Fatal("no table")
	}
	return Parse(list)
}

func TestParse(t *testing.T) {
	list, err := parse(t, `
[[root]]
uri = "oai+https://Catalogue.example/oai?set=e"
name = "E-book records"
owner = "systems@wells.example"
every = "sunday"
record-url = "https://catalogue.example/bib/{id}"
bytes = "3MiB"
time = "30m"
documents = 5
format = "marc21"
marc-tags = ["856u", "956u"]
[[root]]
uri = "https://guides.example/a/"
follow = "/b/"
no-follow = "print=1"
depth = 3
bytes = 1000000
[[root]]
path = "/srv/opac.mrc"
name = "opac"
map = "https://Www.example.org/guides"
replace = true
`)
	if news, err := parse(t, "[[root]]\nuri = \"news://news.example/\"\ngroups = [\"comp.text.*\", \"!comp.text.tex\"]"); err != nil || !slices.Equal(news[0].Groups, []string{"comp.text.*", "!comp.text.tex"}) {
		t.Errorf("%+v, %v", news, err)
	}
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	a, b, c := list[0], list[1], list[2]
	if a.URI != "oai+https://catalogue.example/oai?set=e" || a.Kind != harvest.OAI || a.Name != "E-book records" || a.Owner != "systems@wells.example" ||
		a.RecordURL == "" || a.Bytes != 3<<20 || a.Time != 30*time.Minute || a.Documents != 5 || a.Format != "marc21" || !slices.Equal(a.Extract.MARC, []string{"856u", "956u"}) {
		t.Errorf("%+v", a)
	}
	if b.Name != "guides.example" || !b.Follow.MatchString("x/b/y") || b.NoFollow == nil || b.Depth != 3 || b.Bytes != 1000000 {
		t.Errorf("%+v", b)
	}
	if c.Path != "/srv/opac.mrc" || !c.Replace || c.Name != "opac" {
		t.Errorf("%+v", c)
	}
	mine := extract.Mirrors{{Dir: "/srv/opac.mrc", URL: "https://www.example.org/guides/"}}
	flags := extract.Options{Mirrors: extract.Mirrors{{Dir: "/srv", URL: "https://h.example/"}}}
	if got := c.Over(flags).Mirrors; !slices.Equal(got, slices.Concat(mine, flags.Mirrors)) || len(a.Over(flags).Mirrors) != 0 {
		t.Errorf("%v, %v", got, a.Over(flags).Mirrors)
	}
	whole := time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC) // a Monday
	for i, want := range []int{6, 7, 0} {                  // days until it is due
		for day := range 10 {
			if due := list[i].Due(whole, whole.AddDate(0, 0, day)); due != (day >= want) {
				t.Errorf("%s: due %v after %d days", list[i].Name, due, day)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		`owner = "x"`:                           "f:0.uri: [[root]] uri: is missing",
		`uri = 3`:                               "a text in quotes",
		`uri = "/srv/a"`:                        "path",
		`uri = "https://ann:s3cret@h.example/"`: "password-file",
		"uri = \"https://h.example/\"\npath = \"a\"":                          "a root is a uri or a path",
		"uri = \"https://h.example/\"\nevrey = \"1d\"":                        `unknown key "evrey"`,
		"uri = \"https://h.example/\"\nevery = \"often\"":                     "no time such as",
		"uri = \"https://h.example/\"\nfollow = \"(\"":                        "missing closing",
		"uri = \"https://h.example/\"\ndepth = 0":                             "a number from 1",
		"uri = \"https://h.example/\"\nbytes = \"2GB\"":                       "no size",
		"uri = \"https://h.example/\"\nbytes = \"9999999TiB\"":                "no size",
		"uri = \"https://h.example/\"\ntime = \"1ms\"":                        "no time such as",
		"uri = \"https://h.example/\"\nquery = \"x\"":                         "not for a root of the kind web",
		"uri = \"ftp://h.example/\"\nuser = \"ann\"\npassword-file = \"f\"":   "not for a root of the kind ftp",
		"uri = \"imaps://h.example/INBOX\"\ntoken-file = \"f\"":               "not for a root of the kind imap",
		"uri = \"imaps://h.example/INBOX\"\npassword-file = \"f\"":            "wants user",
		"uri = \"ftp://h.example/\"\ngroups = \"a.b\"":                        "not for a root of the kind ftp",
		"uri = \"https://h.example/\"\nreplace = true":                        "is not for a root",
		"uri = \"https://h.example/\"\ninput = \"word\"":                      "unknown format",
		"uri = \"https://h.example/\"\nrecord-url = \"https://h/\"":           "{id}",
		"uri = \"https://h.example/\"\nrecord-url = \"javascript:{id}\"":      "no address of the web",
		"uri = \"https://h.example/\"\npassword-file = \"f\"":                 "wants user",
		"path = \"a\"\nmap = \"h.example\"":                                   "no web address",
		"path = \"a\"\nmap = \"ftp://h.example/\"":                            "no web address",
		"path = \"a\"\nmap = \"https://ann:s3cret@h.example/\"":               "no user",
		"uri = \"https://h.example/\"\nmap = \"https://h.example/\"":          "is not for a root",
		"path = \"a\"\ntoken-file = \"f\"":                                    "is not for a root",
		"uri = \"https://h.example/\"\nowner = \"a\\nb\"":                     "one line",
		"uri = \"https://h.example\"\n[[root]]\nuri = \"https://h.example/\"": "f:1.uri: [[root]] uri: it has a table already",
	} {
		list, err := parse(t, "[[root]]\n"+text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, %v, want %q", text, list, err, want)
		}
	}
}

// A secret is that of its root; a file that others can read is refused, and no error tells
// what is in it.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const secret = "s3cret word"
	own, open, two, empty := write("own", secret+"\r\n", 0o600), write("open", secret, 0o644), write("two", secret+"\n"+secret, 0o600), write("empty", "\n", 0o600)
	env := map[string]string{"LINKCHECK_SECRET_E_BOOKS_1": secret}
	for _, tt := range []struct {
		keys  string
		want  check.Secret
		fault string
	}{
		{"user = \"ann\"\npassword-file = \"" + own + "\"", check.Secret{User: "ann", Password: secret}, ""},
		{"token-file = \"" + own + "\"", check.Secret{Token: secret}, ""},
		{`name = "e-books 1"`, check.Secret{Token: secret}, ""},
		{"user = \"ann\"\nname = \"E-books 1\"", check.Secret{User: "ann", Password: secret}, ""},
		{`name = "other"`, check.Secret{}, ""},
		{`user = "ann"`, check.Secret{}, "LINKCHECK_SECRET_H_EXAMPLE"},
		{"token-file = \"" + open + "\"", check.Secret{}, "chmod 600"},
		{"token-file = \"" + two + "\"", check.Secret{}, "not one line"},
		{"token-file = \"" + empty + "\"", check.Secret{}, "not one line"},
		{"token-file = \"" + filepath.Join(dir, "none") + "\"", check.Secret{}, "no such file"},
		{"token-file = \"" + dir + "\"", check.Secret{}, dir},
	} {
		list, err := parse(t, "[[root]]\nuri = \"https://h.example/\"\n"+tt.keys)
		if err != nil {
			t.Fatal(err)
		}
		mail, err := parse(t, "[[root]]\nuri = \"imaps://h.example/INBOX\"\n"+tt.keys)
		if err == nil {
			err = mail[0].Load(t.Context(), func(name string) string { return env[name] })
			if tt.want.Token == "" && tt.fault == "" && (err != nil || mail[0].Secret != tt.want) || tt.want.Token != "" && (err == nil || !strings.Contains(err.Error(), "user: is missing")) {
				t.Errorf("of a mailbox, %s: %+v, %v", tt.keys, mail[0].Secret, err)
			}
		}
		err = list[0].Load(t.Context(), func(name string) string { return env[name] })
		if tt.fault == "" && (err != nil || list[0].Secret != tt.want) {
			t.Errorf("%s: %+v, %v", tt.keys, list[0].Secret, err)
		}
		if tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s: %v, want %q", tt.keys, err, tt.fault)
		}
	}
}
