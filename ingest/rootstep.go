package ingest

import (
	"fmt"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/store"
)

// stepEvery is how long what was read waits for its step.
const stepEvery = 5 * time.Second

// count counts a document that the store does not know.
func (r *rootReading) count(name string) {
	if !r.fresh[name] {
		r.fresh[name] = true
		r.sum.Known++
	}
}

// found notes a document that was not asked for.
func (r *rootReading) found(d *harvest.Document) error {
	_, found, err := r.lookUp(d.Name)
	if err != nil || found {
		return err
	}
	r.count(d.Name)
	r.step.step.Found = append(r.step.step.Found, store.Source{Remote: r.root.Number, Path: d.Name, Version: d.Version, Media: d.Media, Depth: d.Depth})
	return nil
}

func (r *rootReading) same(src store.Source) {
	r.sum.Same++
	r.step.step.Same = append(r.step.step.Same, src)
}

// failed notes a document that was asked for in vain, and tells why.
func (r *rootReading) failed(src *store.Source, why string, heard *check.Result) {
	switch r.sum.Failed++; heard.Outcome {
	case check.Auth, check.Blocked:
		r.root.Refused++
	default:
		r.root.Failed++
	}
	if why != "" {
		r.problem(fmt.Errorf("%s: %s", src.Path, why))
	}
	r.step.step.Failed = append(r.step.step.Failed, *src)
}

// torn notes a document that is there, and did not come whole.
func (r *rootReading) torn(src *store.Source, err error) {
	r.sum.Failed++
	r.root.Failed++
	r.problem(fmt.Errorf("%s: it did not come whole: %w", src.Path, err))
	if src.Read != 0 && !src.Gone.IsZero() {
		r.root.Documents++
	}
	src.Noted = 0
	r.step.step.Noted = append(r.step.step.Noted, *src)
}

func (r *rootReading) problem(err error) {
	if len(r.sum.Problems) < maxProblems {
		r.sum.Problems = append(r.sum.Problems, err)
	} else {
		r.sum.Untold++
	}
}

// maxRootNotes is how many notes are kept in the row of a root.
const maxRootNotes = 10

// note keeps what is to be known of the root, or of a document in it.
func (r *rootReading) note(item *harvest.Item) {
	text := shownText(item.Note)
	if item.Doc.Name != "" {
		text = item.Doc.Name + ": " + text
	} else if list := r.root.Notes; len(list) < maxRootNotes && !slices.Contains(list, text) {
		r.root.Notes = append(slices.Clone(list), text)
	}
	if len(r.sum.Notes) < maxProblems && !slices.Contains(r.sum.Notes, text) {
		r.sum.Notes = append(r.sum.Notes, text)
	}
}

// commitMuch takes a step where enough waits for it.
func (r *rootReading) commitMuch() error {
	st := &r.step.step
	sources := len(st.Whole) + len(st.Same) + len(st.Failed) + len(st.Noted) + len(st.Found) + len(st.Kept)
	if !r.marked && r.step.mentions < commitMentions && r.step.octets < commitOctets && sources < commitSources && r.o.Now().Sub(r.stepped) < stepEvery {
		return nil
	}
	return r.commit()
}

// commit takes a step.
func (r *rootReading) commit() error {
	r.mu.Lock()
	if !r.copied { // before the first change
		r.copied, r.release = true, r.st.KeepSnapshot()
	}
	r.mu.Unlock()
	r.root.Tried = r.began
	r.root.Message = r.sentence()
	r.step.step.Root = r.root
	err := r.in.Add(r.step.step)
	r.step, r.stepped, r.marked, r.last = pending{}, r.o.Now(), false, lookedUp{}
	clear(r.fresh)
	if r.o.Progress != nil && err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Progress(r.root, r.sum.HarvestCounts)
	}
	return err
}
