package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/judge"
	"linkcheck/memento"
	"linkcheck/mend/proof"
	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/store/archived"
)

// archiveFlags say which archives are asked, about which links, and how.
type archiveFlags struct {
	netflags.Archives
	report           reportFlags // its store, filters and time
	limit, saveLimit int
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
	f.Archives.Register(cmd, version)
	p.IntVar(&f.limit, "limit", 0, "ask about at most `N` links; the others are left, and counted (0: all)")
	p.StringSliceVar(&f.report.o.Only, "only", nil, "only links of these `WORDS` (default dead,pinned-dead,moved): "+strings.Join(report.OnlyWords(), " "))
	p.StringVar(&f.report.o.Since, "since", "", "only links that died since this `RUN` number, date, or time ago (36h, 7d, 2w)")
	f.report.chooses(cmd)
	p.IntVar(&f.saveLimit, "save-limit", 100, "ask --save for at most `N` pages")
	flags.Now(cmd, &f.report.now)
	flags.Completes(cmd, "only", report.OnlyWords())
	return cmd
}

func (a *app) archive(ctx context.Context, f *archiveFlags) error {
	now, err := flags.Clock(f.report.now)
	if err != nil {
		return err
	}
	if f.limit < 0 || f.saveLimit < 0 {
		return exit.Usage("--limit and --save-limit are not negative")
	}
	c, err := f.Open(now)
	if err != nil {
		return exit.Usage("%w", err)
	}
	st, err := openExisting(ctx, f.report.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := takeOver(ctx, st, f.report.store); err != nil {
		return err
	}
	if err := a.fillReport(ctx, &f.report, st, now); err != nil {
		return err
	}
	c.Store, c.Limit = st, f.limit
	var failed error
	if f.Any() {
		failed = a.runCampaign(ctx, c, &f.report, true)
	}
	if f.Save != "" && ctx.Err() == nil {
		failed = errors.Join(failed, a.saveLiving(ctx, st, f, c.Client))
	}
	return failed
}

// runCampaign asks about the links of a report, and says what it came to.
func (a *app) runCampaign(ctx context.Context, c *memento.Campaign, r *reportFlags, tell bool) error {
	jobs, skipped, err := a.jobs(ctx, c, r)
	if err != nil {
		return err
	}
	c.Warn = func(archive string, err error) { a.log.Warn("%s: %s", a.mask(archive), err) }
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
	s, err := f.Saver(ctx, client)
	if err != nil {
		return exit.Usage("%w", err)
	}
	o := f.report.o
	o.Only, o.Since = []string{"alive"}, ""
	scope, err := report.NewScope(ctx, st, o)
	if err != nil {
		return reportFailed(err)
	}
	var pages []string
	err = scope.EachRow(ctx, store.Pick{Most: 1}, func(row *report.Row) error {
		if page := archived.Page(&row.Link); archived.Askable(page) && !memento.Saved(st, page, o.Now) {
			pages = append(pages, page)
		}
		return nil
	})
	if err != nil {
		return reportFailed(err)
	}
	todo := pages[:min(len(pages), f.saveLimit)]
	a.done("asking %s to keep %s of %d that live\n", a.mask(f.Save), plain.Plural(len(todo), "page", "pages"), len(pages))
	saved, err := s.SaveAll(ctx, st, todo, o.Now, func(page string, err error) { a.log.Warn("%s: %s", a.mask(page), err) })
	a.done("asked to keep %s, %d left\n", plain.Plural(saved, "page", "pages"), len(pages)-saved)
	if err == nil && saved < len(todo) {
		return exit.With(exit.Partial)
	}
	return err
}

// archiveForReport is the short form of a campaign, before a report.
func (a *app) archiveForReport(ctx context.Context, r *reportFlags) error {
	now, err := flags.Clock(r.now)
	if err != nil {
		return err
	}
	c, err := netflags.OneArchive(r.memento, r.guard, version).Open(now)
	if err != nil {
		return exit.Usage("%w", err)
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
	if err := takeOver(ctx, st, r.store); err != nil {
		return err
	}
	c.Store = st
	if err := a.fillReport(ctx, r, st, now); err != nil {
		return err
	}
	return a.runCampaign(ctx, c, r, false)
}

// takeOver takes the answers of older programs over into the store, and removes their file.
func takeOver(ctx context.Context, st *store.Store, storePath string) error {
	old, err := memento.OpenCopies(ctx, storePath)
	switch {
	case err != nil:
		return exit.Usage("%w", err)
	case old == nil:
		return nil
	}
	if err := old.Keep(st); err != nil {
		return storeFailed(err)
	}
	return os.Remove(memento.CopiesFile(storePath))
}

// known looks up what archives answered, in the store and in a file of older programs.
func (a *app) known(ctx context.Context, st *store.Store, storePath string) archived.Known {
	k := archived.Known{Store: st}
	old, err := memento.OpenCopies(ctx, storePath)
	if err != nil {
		a.log.Warn("%s; the copies in it are not used", err)
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
