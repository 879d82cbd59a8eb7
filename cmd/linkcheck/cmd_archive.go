package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/web"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/internal/plain"
	"linkcheck/judge"
	"linkcheck/memento"
	"linkcheck/mend/proof"
	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/store/archived"
	"linkcheck/uri"
)

// archiveFlags say which archives are asked, about which links, and how.
type archiveFlags struct {
	report             reportFlags // its store, filters and time
	archives           []archiveFlag
	ownURL             string
	gap                time.Duration
	limit              int
	userAgent, contact string
	save, saveKey      string
	saveLimit          int
}

// archiveFlag is one archive, in the order of the command line.
type archiveFlag struct{ kind, where string }

// archiveList is the flag of one kind of archives.
type archiveList struct {
	kind string
	to   *[]archiveFlag
}

func (l archiveList) String() string { return strings.Join(l.GetSlice(), ",") }
func (l archiveList) Type() string   { return "stringArray" }

func (l archiveList) Set(s string) error    { *l.to = append(*l.to, archiveFlag{l.kind, s}); return nil }
func (l archiveList) Append(s string) error { return l.Set(s) }

func (l archiveList) Replace(list []string) error {
	*l.to = slices.DeleteFunc(*l.to, func(a archiveFlag) bool { return a.kind == l.kind })
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

const archiveHelp = `Ask web archives for copies of links that are dead or moved, one question after the other,
and keep every answer in the store at once: report, fixes, mend and explain use them. What
Ctrl-C or a crash cuts off goes on where it was; no answer is asked again within 180 days.

For each place of a link the copy nearest to the date of its document is chosen: Date of
mail, month of an RFC, capture of a web archive, entry of a catalogue record, else the
time of the file. Archives are asked in the order given, and each copy is looked at before
it is believed. An archive that answers 503 is not asked any more; what is left is told
at the end, and asked next time. See docs/ARCHIVES.md.`

func cmdArchive(a *app) *cobra.Command {
	f := &archiveFlags{}
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Ask web archives for copies of what is dead, near the date of each document",
		Long:  archiveHelp,
		Example: `  linkcheck archive --store library.db --timegate https://web.archive.org/web/
  linkcheck archive --store library.db --own warcs/ --own-url 'https://web.library.example/{timestamp}/{url}'
  linkcheck archive --store library.db --cdx https://archive.example/collection/cdx --only fix --limit 500
  linkcheck archive --store library.db --timemap https://archive.example/timemap/link/ --since 7d`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.archive(cmd.Context(), f) },
	}
	p := cmd.Flags()
	storeFlag(cmd, &f.report.store)
	for _, kind := range []struct{ name, help string }{
		{"timegate", "`URL` of a Memento TimeGate; the page takes the place of {url} in it, or its end (repeatable)"},
		{"timemap", "`URL` of TimeMaps, lists of all copies of a page; as with --timegate (repeatable)"},
		{"cdx", "`URL` of a CDX server (pywb, OutbackCDX), whose copies are shown below its own folder (repeatable)"},
		{"own", "`DIR` with WARC, WACZ, CDX or CDXJ of your own (repeatable)"},
	} {
		p.Var(archiveList{kind.name, &f.archives}, kind.name, kind.help)
	}
	p.StringVar(&f.ownURL, "own-url", "", "`TEMPLATE` of the public address of a capture of --own, with {timestamp} and {url}; without it such copies are shown and never written")
	p.DurationVar(&f.gap, "gap", memento.DefaultGap, "time between two questions of one archive")
	p.IntVar(&f.limit, "limit", 0, "ask about at most `N` links; the others are left, and counted (0: all)")
	p.StringSliceVar(&f.report.o.Only, "only", nil, "only links of these `WORDS` (default dead,pinned-dead,moved): "+strings.Join(report.OnlyWords(), " "))
	p.StringVar(&f.report.o.Since, "since", "", "only links that died since this `RUN` number, date, or so many days ago (7d)")
	f.report.chooses(cmd)
	p.StringVar(&f.userAgent, "user-agent", "linkcheck/"+version, "`NAME` that archives are told")
	p.StringVar(&f.contact, "contact", "", "mail `ADDRESS` that archives can write to: please give one")
	p.StringVar(&f.save, "save", "", "then ask the archive at this `URL` to keep what still lives (Save Page Now): {url} in it is the page, else it gets a POST")
	p.StringVar(&f.saveKey, "save-key", "", "`FILE` with the value of the header Authorization for --save")
	p.IntVar(&f.saveLimit, "save-limit", 100, "ask --save for at most `N` pages")
	f.report.guard.Register(cmd)
	flags.Now(cmd, &f.report.now)
	flags.Completes(cmd, "only", report.OnlyWords())
	return cmd
}

// validate refuses flags that do not go together.
func (f *archiveFlags) validate() error {
	if len(f.archives) == 0 && f.save == "" {
		return exit.Usage("which archive? give --timegate, --timemap, --cdx or --own")
	}
	owns := false
	for _, a := range f.archives {
		if owns = owns || a.kind == "own"; a.kind == "own" && !isFolder(a.where) {
			return exit.Usage("--own: %s is no folder", a.where)
		}
		if a.kind != "own" && !isWeb(a.where) {
			return exit.Usage("--%s wants the address of an archive, such as https://archive.example/%s/, not %q", a.kind, a.kind, a.where)
		}
	}
	switch {
	case f.ownURL != "" && (!owns || !isWeb(f.ownURL) || !strings.Contains(f.ownURL, "{url}")):
		return exit.Usage("--own-url goes with --own, and is an address with {url} in it, such as https://archive.example/{timestamp}/{url}")
	case f.save != "" && !isWeb(f.save):
		return exit.Usage("--save wants the address of an archive, such as https://archive.example/save/{url}, not %q", f.save)
	case f.saveKey != "" && f.save == "":
		return exit.Usage("--save-key is for --save")
	case f.gap < 0 || f.limit < 0 || f.saveLimit < 0:
		return exit.Usage("--gap, --limit and --save-limit are not negative")
	}
	if days, ok := strings.CutSuffix(f.report.o.Since, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		now, failed := flags.Clock(f.report.now)
		if err = cmp.Or(err, failed); err != nil {
			return exit.Usage("--since: %q is no number of days", f.report.o.Since)
		}
		f.report.o.Since = now().AddDate(0, 0, -int(n)).UTC().Format(time.RFC3339)
	}
	return nil
}

func (a *app) archive(ctx context.Context, f *archiveFlags) error {
	if err := f.validate(); err != nil {
		return err
	}
	now, err := flags.Clock(f.report.now)
	if err != nil {
		return err
	}
	c, err := a.newCampaign(f, now)
	if err != nil {
		return err
	}
	st, err := openExisting(ctx, f.report.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := a.takeOver(ctx, st, f.report.store); err != nil {
		return err
	}
	if err := a.fillReport(ctx, &f.report, st, now); err != nil {
		return err
	}
	c.Store, c.Limit = st, f.limit
	var failed error
	if len(f.archives) > 0 {
		failed = a.runCampaign(ctx, c, &f.report, true)
	}
	if f.save != "" && ctx.Err() == nil {
		failed = errors.Join(failed, a.saveLiving(ctx, st, f, c.Client))
	}
	return failed
}

// newCampaign makes a campaign of the flags, without its store.
func (a *app) newCampaign(f *archiveFlags, now func() time.Time) (*memento.Campaign, error) {
	guard, err := f.report.guard.Open(nil)
	if err != nil {
		return nil, err
	}
	agent := f.userAgent
	if f.contact != "" {
		agent += " (+mailto:" + f.contact + ")"
	}
	if strings.ContainsFunc(agent, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, exit.Usage("--user-agent and --contact are one line without control characters: archives are told them")
	}
	o := check.Options{Dialer: guard, Now: now, Timeout: 30 * time.Second, UserAgent: agent, Contact: f.contact}
	prober := all.Table(all.Options{Options: o, Resolver: guard.Resolver, Web: web.Options{NoSoft404: true, IgnoreRobots: true}})
	client := &memento.Client{Doer: memento.NewDoer(guard), UserAgent: agent, Gap: f.gap}
	c := &memento.Campaign{Client: client, Now: now, Look: func(ctx context.Context, u uri.URI) check.Result {
		return prober.Probe(ctx, check.Target{URI: u})
	}}
	for _, at := range f.archives {
		var archive memento.Archive
		switch at.kind {
		case "timegate":
			archive = memento.NewTimeGate(client, at.where)
		case "timemap":
			archive = memento.NewTimeMap(client, at.where)
		case "own":
			archive = memento.NewOwn(at.where, f.ownURL)
		default:
			if archive, err = memento.NewCDX(client, at.where); err != nil {
				return nil, exit.Usage("--cdx: %w", err)
			}
		}
		c.Archives = append(c.Archives, archive)
	}
	c.Warn = func(archive string, err error) { a.log.Warn("%s: %s", a.mask(archive), err) }
	return c, nil
}

// runCampaign asks about the links of a report, and says what it came to.
func (a *app) runCampaign(ctx context.Context, c *memento.Campaign, r *reportFlags, tell bool) error {
	jobs, skipped, err := a.jobs(ctx, c, r)
	if err != nil {
		return err
	}
	progress := a.progress()
	c.Told = func(s memento.Sum) { progress.Update("%s", s.Words()) }
	sum, err := c.Run(ctx, jobs)
	progress.Clear()
	if tell {
		a.done("%s\n", sum.Words())
		if skipped > 0 {
			a.done("%s not asked about: no archive holds their kind, or a secret stands in them\n", plain.Plural(skipped, "link", "links"))
		}
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return storeFailed(err)
	case err != nil:
		return err
	case tell && sum.Left > 0 && c.Unanswered():
		return exit.With(exit.Partial)
	}
	return nil
}

// jobs are the links that archives are asked about; the documents of the store themselves name copies,
// which are looked at when no archive has one.
func (a *app) jobs(ctx context.Context, c *memento.Campaign, r *reportFlags) (list []memento.Job, skipped int, err error) {
	o := r.o
	since := o.Since != ""
	if len(o.Only) == 0 {
		o.Only = []string{"dead", "pinned-dead", "moved"}
	}
	scope, err := report.NewScope(ctx, c.Store, o)
	if err != nil {
		return nil, 0, reportFailed(err)
	}
	err = scope.EachRow(ctx, store.Pick{}, func(row *report.Row) error {
		if since && !slices.Contains(row.Changed, judge.NewlyDead) {
			return nil
		}
		if job, ok := memento.JobOf(&row.Link, row.LiveMentions); ok {
			list = append(list, job)
		} else {
			skipped++
		}
		return nil
	})
	named := &memento.Named{}
	for e, failed := range c.Store.Scan(store.Pick{Mentions: true}) {
		if err = cmp.Or(err, failed, ctx.Err()); err != nil {
			return nil, 0, reportFailed(err)
		}
		named.Add(e.URL, "", time.Time{})
		for i := range e.LiveMentions {
			if m := &e.LiveMentions[i]; m.CopyOf != "" {
				named.Add(m.URL, m.CopyOf, archived.MadeOf(m))
			}
		}
	}
	c.Archives = append(c.Archives, named)
	return list, skipped, reportFailed(err)
}

// saveLiving asks an archive to keep what still lives, and was not asked to keep within 180 days.
func (a *app) saveLiving(ctx context.Context, st *store.Store, f *archiveFlags, client *memento.Client) error {
	s := &memento.Saver{Client: client, URL: f.save}
	if f.saveKey != "" {
		text, err := openfile.ReadAll(ctx, f.saveKey)
		if s.Key = strings.TrimSpace(string(text)); err != nil || strings.ContainsAny(s.Key, "\r\n") || s.Key == "" {
			return exit.Usage("--save-key: %s: %w", f.saveKey, cmp.Or(err, errors.New("want one line")))
		}
	}
	o := f.report.o
	o.Only, o.Since = []string{"alive"}, ""
	scope, err := report.NewScope(ctx, st, o)
	if err != nil {
		return reportFailed(err)
	}
	var pages []string
	now := o.Now
	err = scope.EachRow(ctx, store.Pick{Most: 1}, func(row *report.Row) error {
		page := archived.Page(&row.Link)
		if _, is := archived.Rest(st, "saved "+page, now); !is && archived.Askable(page) {
			pages = append(pages, page)
		}
		return nil
	})
	if err != nil {
		return reportFailed(err)
	}
	todo := pages[:min(len(pages), f.saveLimit)]
	a.done("asking %s to keep %s of %d that live\n", a.mask(f.save), plain.Plural(len(todo), "page", "pages"), len(pages))
	saved := 0
	for _, page := range todo {
		if err = s.Save(ctx, page); err == nil {
			saved++
			err = archived.SetRest(st, "saved "+page, now.Add(archived.Keep))
		}
		if _, busy := errors.AsType[*memento.BusyError](err); busy || ctx.Err() != nil {
			break
		} else if err != nil {
			a.log.Warn("%s: %s", a.mask(page), err)
		}
	}
	a.done("asked to keep %s, %d left\n", plain.Plural(saved, "page", "pages"), len(pages)-saved)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case saved < len(todo):
		return exit.With(exit.Partial)
	}
	return nil
}

// archiveForReport is the short form of a campaign, before a report.
func (a *app) archiveForReport(ctx context.Context, r *reportFlags) error {
	kind := "timegate"
	if at, _, _ := strings.Cut(r.memento, "?"); strings.HasSuffix(strings.TrimRight(at, "/"), "cdx") {
		kind = "cdx"
	}
	now, err := flags.Clock(r.now)
	if err != nil {
		return err
	}
	f := &archiveFlags{report: *r, archives: []archiveFlag{{kind, r.memento}}, gap: memento.DefaultGap, userAgent: "linkcheck/" + version}
	c, err := a.newCampaign(f, now)
	if err != nil {
		return err
	}
	st, err := openExisting(ctx, r.store, now)
	if errors.Is(err, store.ErrInUse) {
		a.log.Warn("%s: not asked while a run holds the store; what is known already is used", r.memento)
		return nil
	}
	if err != nil {
		return err
	}
	defer st.Close()
	if err := a.takeOver(ctx, st, r.store); err != nil {
		return err
	}
	if err := a.fillRoots(&f.report.o, st); err != nil {
		return err
	}
	f.report.o.Now, c.Store = now(), st
	return a.runCampaign(ctx, c, &f.report, false)
}

// copiesFile is where older programs kept the answers of archives that were asked for a store.
func copiesFile(storePath string) string {
	if isFolder(storePath) {
		return filepath.Join(storePath, "set.copies")
	}
	return storePath + ".copies"
}

// readCopies reads the answers of older programs; without a file there are none. Nobody named
// that file: no link is followed to it (SECURITY.md).
func readCopies(ctx context.Context, file string) (memento.Copies, error) {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is no file", file)
	}
	data, err := openfile.ReadAll(ctx, file)
	if err != nil {
		return nil, err
	}
	return memento.ReadCopies(bytes.NewReader(data))
}

// takeOver takes the answers of older programs over into the store, and removes their file.
func (a *app) takeOver(ctx context.Context, st *store.Store, storePath string) error {
	file := copiesFile(storePath)
	old, err := readCopies(ctx, file)
	if err != nil {
		return exit.Usage("%s: %w", file, err)
	}
	if old == nil {
		return nil
	}
	if err := old.Keep(st); err != nil {
		return storeFailed(err)
	}
	return os.Remove(file)
}

// known looks up what archives answered, in the store and in a file of older programs.
func (a *app) known(ctx context.Context, st *store.Store, storePath string) archived.Known {
	k := archived.Known{Store: st}
	old, err := readCopies(ctx, copiesFile(storePath))
	if err != nil {
		a.log.Warn("%s: %s; the copies in it are not used", copiesFile(storePath), err)
	}
	if len(old) > 0 {
		k.Old = old.Copy
	}
	return k
}

// copied says what archives answered for the places of a link.
func (a *app) copied(ctx context.Context, st *store.Store, storePath string, e *store.Explanation) func(*store.Mention) string {
	k := a.known(ctx, st, storePath)
	return func(m *store.Mention) string { return k.Words(&e.Link, m) }
}

// archivedWords are what --archived may be. All but the first and the last are ways of mend.
var archivedWords = []string{"replace", "add", "note", "uncheck", "uncheck-x", "keep"}

// archivedCopies gives the function that finds the archived copy for a place of a link, and its day.
func archivedCopies(known report.Archive) func(*store.Link, *store.Mention) (url, date string) {
	return func(l *store.Link, m *store.Mention) (url, date string) {
		url, made := known.Copy(l, m)
		if !made.IsZero() {
			return url, made.UTC().Format(time.DateOnly)
		}
		return url, proof.DateOf(url)
	}
}

