package netflags

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/web"
	"linkcheck/internal/openfile"
	"linkcheck/memento"
	"linkcheck/uri"
)

// Archives are the flags of a verb that asks web archives: which, and how.
type Archives struct {
	Guard
	UserAgent, Contact string
	Gap                time.Duration
	Save               string // "": no archive is asked to keep anything

	list            []archiveAt
	ownURL, saveKey string
}

// archiveAt is one archive, in the order of the command line.
type archiveAt struct{ kind, where string }

// archiveList is the flag of one kind of archives.
type archiveList struct {
	kind string
	to   *[]archiveAt
}

func (l archiveList) String() string { return "[" + strings.Join(l.GetSlice(), ",") + "]" } // as lists of pflag
func (l archiveList) Type() string   { return "stringArray" }

func (l archiveList) Set(s string) error    { *l.to = append(*l.to, archiveAt{l.kind, s}); return nil }
func (l archiveList) Append(s string) error { return l.Set(s) }

func (l archiveList) Replace(list []string) error {
	*l.to = slices.DeleteFunc(*l.to, func(a archiveAt) bool { return a.kind == l.kind })
	for _, s := range list {
		_ = l.Set(s)
	}
	return nil
}

func (l archiveList) GetSlice() (list []string) {
	if l.to == nil {
		return nil
	}
	for _, a := range *l.to {
		if a.kind == l.kind {
			list = append(list, a.where)
		}
	}
	return list
}

// Register adds the flags to a command of the program of this version.
func (n *Archives) Register(cmd *cobra.Command, version string) {
	f := cmd.Flags()
	for _, kind := range []struct{ name, help string }{
		{"timegate", "`URL` of a Memento TimeGate; the page takes the place of {url} in it, or its end (repeatable)"},
		{"timemap", "`URL` of TimeMaps, lists of all copies of a page; as with --timegate (repeatable)"},
		{"cdx", "`URL` of a CDX server (pywb, OutbackCDX), whose copies are shown below its own folder (repeatable)"},
		{"own", "`DIR` with WARC, WACZ, CDX or CDXJ of your own (repeatable)"},
	} {
		f.Var(archiveList{kind.name, &n.list}, kind.name, kind.help)
	}
	f.StringVar(&n.ownURL, "own-url", "", "`TEMPLATE` of the public address of a capture of --own, with {timestamp} and {url}; without it such copies are shown and never written")
	f.DurationVar(&n.Gap, "gap", memento.DefaultGap, "time between two questions of one archive")
	f.StringVar(&n.UserAgent, "user-agent", "linkcheck/"+version, "`NAME` that archives are told")
	f.StringVar(&n.Contact, "contact", "", "mail `ADDRESS` that archives can write to: please give one")
	f.StringVar(&n.Save, "save", "", "then ask the archive at this `URL` to keep what still lives (Save Page Now): {url} in it is the page, else it gets a POST")
	f.StringVar(&n.saveKey, "save-key", "", "`FILE` with the value of the header Authorization for --save")
	n.Guard.Register(cmd)
}

// OneArchive are the flags as if they named one TimeGate, or one CDX server where the path of the
// address ends in "cdx".
func OneArchive(at string, guard Guard, version string) *Archives {
	kind := "timegate"
	if path, _, _ := strings.Cut(at, "?"); strings.HasSuffix(strings.TrimRight(path, "/"), "cdx") {
		kind = "cdx"
	}
	return &Archives{Guard: guard, UserAgent: "linkcheck/" + version, Gap: memento.DefaultGap, list: []archiveAt{{kind, at}}}
}

// Any says whether there is an archive to ask for copies.
func (n *Archives) Any() bool { return len(n.list) > 0 }

// validate refuses flags that do not go together.
func (n *Archives) validate() error {
	if !n.Any() && n.Save == "" {
		return fmt.Errorf("which archive? give --timegate, --timemap, --cdx or --own")
	}
	owns := false
	for _, a := range n.list {
		info, err := os.Stat(a.where)
		switch owns = owns || a.kind == "own"; {
		case a.kind == "own" && (err != nil || !info.IsDir()):
			return fmt.Errorf("--own: %s is no folder that can be read", a.where)
		case a.kind != "own" && !isWeb(a.where):
			return fmt.Errorf("--%s wants the address of an archive, such as https://archive.example/%s/, not %q", a.kind, a.kind, a.where)
		}
	}
	switch {
	case n.ownURL != "" && (!owns || !isWeb(n.ownURL) || !strings.Contains(n.ownURL, "{url}")):
		return fmt.Errorf("--own-url goes with --own, and is an address with {url} in it, such as https://archive.example/{timestamp}/{url}")
	case n.Save != "" && !isWeb(n.Save):
		return fmt.Errorf("--save wants the address of an archive, such as https://archive.example/save/{url}, not %q", n.Save)
	case n.saveKey != "" && n.Save == "":
		return fmt.Errorf("--save-key is for --save")
	case n.Gap < 0:
		return fmt.Errorf("--gap is not negative")
	case strings.ContainsFunc(n.UserAgent+n.Contact, unicode.IsControl):
		return fmt.Errorf("--user-agent and --contact are one line without control characters: archives are told them")
	}
	return nil
}

func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Open checks the flags, and makes a campaign of them that has no store yet.
func (n *Archives) Open(now func() time.Time) (*memento.Campaign, error) {
	if err := n.validate(); err != nil {
		return nil, err
	}
	guard, err := n.Guard.Open(nil)
	if err != nil {
		return nil, err
	}
	agent := n.UserAgent
	if n.Contact != "" {
		agent += " (+mailto:" + n.Contact + ")"
	}
	o := check.Options{Dialer: guard, Now: now, UserAgent: agent, Contact: n.Contact}
	prober := all.Table(all.Options{Options: o, Resolver: guard.Resolver, Web: web.Options{NoSoft404: true, IgnoreRobots: true}})
	c := &memento.Campaign{Client: &memento.Client{Doer: memento.NewDoer(guard), UserAgent: agent, Gap: n.Gap}, Now: now}
	c.Look = func(ctx context.Context, u uri.URI) check.Result { return prober.Probe(ctx, check.Target{URI: u}) }
	for _, at := range n.list {
		var archive memento.Archive
		switch at.kind {
		case "timegate":
			archive = memento.NewTimeGate(c.Client, at.where)
		case "timemap":
			archive = memento.NewTimeMap(c.Client, at.where)
		case "own":
			archive = memento.NewOwn(at.where, n.ownURL)
		default:
			if archive, err = memento.NewCDX(c.Client, at.where); err != nil {
				return nil, fmt.Errorf("--cdx: %w", err)
			}
		}
		c.Archives = append(c.Archives, archive)
	}
	return c, nil
}

// Saver makes what asks an archive to keep pages.
func (n *Archives) Saver(ctx context.Context, client *memento.Client) (*memento.Saver, error) {
	s := &memento.Saver{Client: client, URL: n.Save}
	if n.saveKey == "" {
		return s, nil
	}
	text, err := openfile.ReadAll(ctx, n.saveKey)
	if err != nil {
		return nil, fmt.Errorf("--save-key: %w", err)
	}
	if s.Key = strings.TrimSpace(string(text)); s.Key == "" || strings.ContainsFunc(s.Key, unicode.IsControl) {
		return nil, fmt.Errorf("--save-key: %s is not one line", n.saveKey)
	}
	return s, nil
}
