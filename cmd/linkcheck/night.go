package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/extract"
	"linkcheck/fleet"
	"linkcheck/ingest"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/mailer"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/internal/readflags"
	"linkcheck/internal/rootsettings"
	"linkcheck/internal/streams"
	"linkcheck/internal/webhook"
	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/store/marks"
)

// storeRun is one run over a store, with or without reading sources first.
type storeRun struct {
	net                         netflags.Flags
	due                         dueFlags
	extract                     extract.Options
	reading                     readflags.Flags
	archives                    archives
	roots                       []string     // names of --root
	reader                      check.Reader // of what is not on this disk
	collection                  string
	recordURL                   string
	mail                        mailFlags
	server                      *mailer.Server // of mail; nil: none is sent
	webhook                     string         // its address
	hook                        *webhook.Hook  // nil: nobody is told
	which                       ingest.Selection
	allowEmpty, replace, dryRun bool
	failOn                      string
	fleet                       workerFlags  // with an engine: the night is that of a fleet
	shard                       *fleet.Shard // of it, into which is read; nil: it is none
	verifyEvery                 int          // runs; 0: never
}

// checkRun checks the flags of a run that nothing else reads first.
func (a *app) checkRun(n *storeRun) error {
	switch {
	case n.verifyEvery < 0:
		return exit.Usage("--verify-every is not negative")
	case n.replace && n.collection == "":
		return exit.Usage("--replace wants --collection: the name of what the documents take the place of")
	}
	return cmp.Or(flags.OneOf("fail-on", n.failOn, failOnWords), a.checkRecordURL(n.recordURL))
}

func (a *app) runStore(ctx context.Context, n *storeRun) error {
	if err := cmp.Or(a.checkRun(n), n.reading.Complete(ctx, &n.extract), checkSelection(&n.which)); err != nil {
		return err
	}
	a.setPreprocess(&n.extract)
	filter, err := n.due.filter()
	if err != nil {
		return err
	}
	if n.server, err = n.mail.server(ctx, a.getenv); err != nil {
		return err
	}
	n.net.Browser, n.net.Hosts, n.net.Way.Getenv = a.browser, a.hosts, a.getenv
	a.proxied = n.net.Way.Proxy != "" || n.net.Way.ProxyFromEnvironment
	net, err := n.net.Open(ctx, nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	if n.webhook != "" {
		if n.hook, err = webhook.New(n.webhook, "linkcheck/"+version, net.Guard); err != nil {
			return exit.Usage("--webhook: %w", err)
		}
	}
	o := net.Options
	if o.Canaries, err = canaryURIs(net.Probers, n.due.canaries); err != nil {
		return err
	}
	if n.archives.none() {
		if err := mustExist(n.due.store); err != nil {
			return err
		}
	}
	o.NameOf = namesIn(a.mirrors(n.extract))
	o.Filter, o.MaxDuration = filter, time.Duration(n.due.maxDuration)
	n.reader = net.Probers
	if n.fleet.at.URL != "" {
		return a.runInFleet(ctx, n, net, o)
	}
	if n.dryRun {
		return a.dryRun(ctx, n, o)
	}
	st, err := openStore(ctx, n.due.store, net.Options.Now, net.Options.Proxies)
	if err != nil {
		return err
	}
	a.figures.success, err = report.LastSuccess(st.Runs())
	a.figures.known = err == nil // else the run itself says so
	err = a.runOpenStore(ctx, st, n, o)
	return cmp.Or(err, storeFailed(st.Close()))
}

// checkRecordURL refuses a template of the addresses of records that is none; "" is not given.
func (a *app) checkRecordURL(template string) error {
	if err := rootsettings.CheckRecordURL(template); template != "" && err != nil {
		return exit.Usage("--record-url %.200q: %w", a.mask(template), err)
	}
	return nil
}

// runOpenStore reads, checks and reports with an open store.
func (a *app) runOpenStore(ctx context.Context, st *store.Store, n *storeRun, o crawl.Options) error {
	defer a.steadyMemory()()
	if err := a.lookAtLast(ctx, st, n); err != nil {
		return storeFailed(err)
	}
	o.Run.RecordURL = n.recordURL
	var codes []int
	var unreadable *int
	if !n.archives.none() {
		some, code, err := a.beginReading(ctx, st, n, &o)
		if err != nil {
			return err
		}
		codes, unreadable = append(codes, code), &some
	}
	var err error
	if o.HeldBack, err = a.heldBack(st); err != nil {
		return err
	}
	bar := a.progress()
	o.Progress = func(p crawl.Progress) {
		bar.Update("%s of %s checked on %s, %s under way, %s to be tried again",
			plain.Thousands(p.Done), plain.Plural(p.Planned, "link", "links"), plain.Plural(p.Hosts, "host", "hosts"), plain.Thousands(p.UnderWay), plain.Thousands(p.Retry))
	}
	if n.due.logAnswers || a.logJSON {
		o.Kept = a.logAnswer
	}
	o.Began = a.log.SetRun
	sum, err := crawl.Check(ctx, st, o)
	bar.Clear()
	if sum.Run.ID == 0 && o.Run.ID != 0 {
		err = errors.Join(err, st.EndRun(store.Run{ID: o.Run.ID}))
	}
	code, err := a.checkError(err)
	if err != nil {
		return err
	}
	codes = append(codes, code)
	a.tellCanaries(&sum.Run)
	if sum.Checked == 0 {
		known, err := marks.OnHost(st, o.Filter.Host)
		if err != nil {
			return storeFailed(err)
		}
		if !known { // it may be misspelt
			a.log.Warn("no link in the store is on %s", o.Filter.Host)
		}
	}
	matched, err := n.matchFailOn(st, sum)
	if err != nil {
		return storeFailed(err)
	}
	codes = append(codes, matched)
	sum.Run.Unreadable = unreadable
	return a.endRun(ctx, st, n, sum, exit.Worst(codes...), o.Now())
}

// beginReading begins the run and reads the sources: so the next run hears of one that is
// killed meanwhile. One that ends in order before it asks anything is no run.
func (a *app) beginReading(ctx context.Context, st *store.Store, n *storeRun, o *crawl.Options) (unreadable, code int, err error) {
	o.Run = store.Run{Started: o.Now(), Version: o.Version, RecordURL: n.recordURL}
	if o.Run.ID, err = st.StartRun(o.Run); err != nil {
		return 0, 0, storeFailed(err)
	}
	a.log.SetRun(o.Run.ID)
	begun := time.Now()
	unreadable, code, err = a.readSources(ctx, st, n, o)
	if o.MaxDuration > 0 { // reading took its part of it
		if o.MaxDuration -= time.Since(begun); o.MaxDuration == 0 {
			o.MaxDuration = -1 // no time is left, which is not the same as no limit
		}
	}
	if err != nil {
		err = errors.Join(err, st.EndRun(store.Run{ID: o.Run.ID}))
	}
	return unreadable, code, err
}

// endRun tells what is new, and keeps the exit code with the run.
func (a *app) endRun(ctx context.Context, st *store.Store, n *storeRun, sum crawl.Summary, code int, now time.Time) error {
	late, cancel := streams.Graceful(ctx)
	defer cancel()
	told := a.tellNews(late, st, n, sum, code, now)
	if f, ok := errors.AsType[*exit.Failure](told); ok {
		code = exit.Worst(code, f.Code)
		f.Code = code
	}
	if sum.Run.Exit = &code; sum.Run.ID != 0 {
		if err := st.EndRun(sum.Run); err != nil {
			return storeFailed(err)
		}
	}
	return cmp.Or(told, exit.With(code))
}

// checkError turns the errors that end a check early into exit codes; other errors it
// returns.
func (a *app) checkError(err error) (int, error) {
	switch {
	case err == nil:
		return exit.OK, nil
	case errors.Is(err, context.Canceled):
		a.log.Warn("interrupted; what was checked is kept")
		return exit.Interrupted, nil
	case errors.Is(err, crawl.ErrNetworkDown):
		a.sayNetworkDown(exit.Text(err) + "; no strikes were counted")
		return exit.Distrusted, nil
	case errors.Is(err, crawl.ErrOwnFaults):
		a.log.Error("%s, which say nothing about the links; the others count", exit.Text(err))
		return exit.Distrusted, nil
	case errors.Is(err, crawl.ErrUnfinished):
		a.log.Warn("%s", err)
		return exit.Partial, nil
	}
	return 0, storeFailed(err)
}

// sayNetworkDown says why results are not believed.
func (a *app) sayNetworkDown(why string) {
	a.log.Error("%s", why)
	if name := netflags.UnusedProxy(a.getenv); name != "" && !a.proxied {
		a.log.Hint("%s is set in the environment, and linkcheck uses no proxy without --proxy-from-environment: it asks each server itself", name)
	}
}

// ingest reads the sources at paths, and says on standard error what could not be read, and
// how many sources that are.
func (a *app) ingest(ctx context.Context, st *store.Store, n *storeRun, paths []string, o ingest.Options) (unreadable, code int, err error) {
	bar := a.progress()
	o.Progress = func(s ingest.Summary) {
		bar.Update("%s read, %s found", plain.Plural(s.Read, "document", "documents"), plain.Plural(s.Mentions, "link", "links"))
	}
	sum, err := ingest.Read(ctx, st, paths, o)
	bar.Clear()
	for _, p := range sum.Problems {
		a.log.Warn("%s", exit.Text(p))
	}
	if sum.Untold > 0 {
		a.log.Warn("and %s more", plain.Plural(sum.Untold, "problem", "problems"))
	}
	if sum.OutOfReach > 0 {
		a.log.Hint("--allow-empty if what was there before is really gone; 'linkcheck store rename' if it has another name")
	}
	if !a.quiet {
		for _, note := range sum.Notes {
			a.log.Warn("%s", a.maskText(note))
		}
	}
	switch {
	case errors.Is(err, ingest.ErrUnreadable):
		return sum.Unreadable, exit.Partial, nil
	case errors.Is(err, context.Canceled):
		a.log.Warn("interrupted; what was read is kept")
		return 0, 0, exit.With(exit.Interrupted)
	case errors.Is(err, context.DeadlineExceeded):
		a.log.Warn("not all sources could be read in the time given; what was read is kept")
		return sum.Unreadable, exit.Partial, nil
	case err != nil:
		return 0, 0, storeFailed(err)
	case sum.Damages > 0:
		return sum.Unreadable, exit.Partial, nil
	case !a.quiet && sum.Sources == 0:
		a.log.Info("no documents there")
	case !a.quiet:
		a.log.Info("%s: %s, %s%s", plain.Plural(sum.Sources, "source", "sources"),
			plain.Plural(sum.Read, "read", "read"), plain.Plural(sum.Unchanged, "unchanged", "unchanged"), n.found(&sum))
		if sum.NotRead > 0 {
			a.log.Info("%s that nothing here reads; the report counts them", plain.Plural(sum.NotRead, "document has a format", "documents have formats"))
		}
	}
	return sum.Unreadable, exit.OK, nil
}
