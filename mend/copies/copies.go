package copies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"linkcheck/extract"
	"linkcheck/internal/openfile"
	"linkcheck/mend"
	"linkcheck/mend/ready"
)

// MaxSource is how many octets of a source are held; a larger one is left.
const MaxSource = 1 << 30

// Fix is a change that is wanted in a source, and why.
type Fix struct {
	mend.Change
	Why string // in words, or the code of a reason
}

// Source is a file with what is wanted in it.
type Source struct {
	Path  string // whole
	Name  string // as it is shown
	Root  string // whole: what was read when it was found; its copy stands below the name of that
	Copy  string // where its copy stands in the folder; "": by Root
	Fixes []Fix
	Aside bool // it is not mended: no copy may come upon it
}

// Options says what becomes of the changes.
type Options struct {
	Extract extract.Options
	Folder  *Folder      // for the copies; nil: they are only shown
	Ready   *ready.Batch // takes the changes for library systems; nil: there are none
	All     bool         // copies of all records and files, also of those that stay as they are
	Show    func(format string, args ...any)
}

// Sum counts what became of the changes.
type Sum struct {
	Made, Left     int
	Files, Records int // that were written, or would be
}

var errTooLarge = fmt.Errorf("a source of more than %d octets is not held", MaxSource)

// Mend shows the changes of each source, place by place, and writes the copies.
func Mend(ctx context.Context, sources []Source, o Options) (sum Sum, err error) {
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		if s.Aside || len(s.Fixes) == 0 && !o.All {
			continue
		}
		if err := o.mend(ctx, s, &sum); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// mend makes the copy of one source. The error is of the folder.
func (o *Options) mend(ctx context.Context, s Source, sum *Sum) error {
	was, made, err := o.rewrite(ctx, s)
	if err != nil {
		for _, f := range s.Fixes {
			if !f.OnlyTrims() {
				o.left(s, f, err)
				sum.Left++
			}
		}
		return nil
	}
	for _, l := range made.Left {
		o.left(s, s.Fixes[l.Change], l.Why)
	}
	for _, m := range made.Made {
		o.showMade(s, s.Fixes[m.Change], &m)
	}
	sum.Left += len(made.Left)
	if len(made.Made) == 0 && !o.All {
		return nil
	}
	changed := made.Changed(s.Path, o.reading(ctx, s.Path))
	if o.Ready != nil {
		o.Ready.Add(cmp.Or(s.Name, s.Path), was, changesOf(s, made), changed)
	}
	if !o.All {
		made = changed
	}
	if o.Folder != nil {
		err := o.Folder.write(s, made)
		if twice, ok := errors.AsType[*collision](err); ok {
			o.Show("left: %s: %s\n", cmp.Or(s.Name, s.Path), twice)
			sum.Left += max(1, len(made.Made))
			return nil
		}
		if err != nil {
			return err
		}
	}
	sum.Made, sum.Files, sum.Records = sum.Made+len(made.Made), sum.Files+1, sum.Records+changed.Records()
	return nil
}

// showMade shows a change: what goes and what comes. Where it is moved to another subfield,
// that stands before it.
func (o *Options) showMade(s Source, f Fix, m *mend.Made) {
	was, now := m.Was.Raw, m.Now.Raw
	if f.Way == mend.Uncheck || f.Way == mend.UncheckX {
		was, now = m.Was.Locator+" "+was, m.Now.Locator+" "+now
	}
	switch {
	case !beside(&f.Change, m):
		o.Show("%s\n- %s\n+ %s\n  %s\n", f.place(s), was, now, f.Why)
	case f.Restore:
		o.Show("%s\n- %s\n  %s\n", f.place(s), was, f.Why)
	default:
		o.Show("%s\n  %s\n+ %s %s\n  %s\n", f.place(s), was, m.Now.Locator, now, f.Why)
	}
}

// changesOf gives the changes of a copy for library systems.
func changesOf(s Source, made *mend.Copy) (list []ready.Change) {
	for _, m := range made.Made {
		f := s.Fixes[m.Change]
		list = append(list, ready.Change{
			Source: cmp.Or(s.Name, s.Path), Record: m.Was.Record, Locator: m.Was.Locator, Old: m.Was.Raw, New: m.Now.Raw, Why: f.Why,
			Way: f.Way, Spelled: m.Spelled, Whole: strings.HasPrefix(m.Was.How, "$"),
		})
	}
	return list
}

// rewrite gives the octets of a source, and its copy.
func (o *Options) rewrite(ctx context.Context, s Source) (octets []byte, made *mend.Copy, err error) {
	if octets, err = Read(ctx, s.Path); err != nil {
		return nil, nil, err
	}
	changes := make([]mend.Change, len(s.Fixes))
	for i, f := range s.Fixes {
		changes[i] = f.Change
	}
	made, err = mend.Rewrite(s.Path, octets, o.reading(ctx, s.Path), changes)
	return octets, made, err
}

// reading is how a source is read.
func (o *Options) reading(ctx context.Context, path string) extract.Options {
	e := o.Extract
	e.Path, e.Context = path, ctx
	return e
}

// Read reads a source, if it can be held.
func Read(ctx context.Context, path string) ([]byte, error) {
	f, err := openfile.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	octets, err := io.ReadAll(io.LimitReader(f, MaxSource+1))
	if len(octets) > MaxSource {
		err = errTooLarge
	}
	return octets, err
}

func (o *Options) left(s Source, f Fix, why error) {
	o.Show("left: %s: %s -> %s: %s\n", f.place(s), f.Old, f.New, why)
}

// place says where a change stands: its file, and in it the record and field, or the line.
func (f *Fix) place(s Source) string {
	at := []string{cmp.Or(s.Name, s.Path)}
	for _, word := range []string{f.Record, f.Locator} {
		if word != "" {
			at = append(at, word)
		}
	}
	if f.Line > 0 && f.Record == "" {
		at = append(at, fmt.Sprintf("line %d col %d", f.Line, f.Column))
	}
	return strings.Join(at, " ")
}

// Founds gives what extract finds in a source itself, not in what is packed in it; of a
// workbook in its sheets.
func (o *Options) Founds(ctx context.Context, file string) ([]extract.Found, error) {
	octets, err := Read(ctx, file)
	if err != nil {
		return nil, err
	}
	founds := mend.Founds(file, octets, o.reading(ctx, file))
	return slices.DeleteFunc(founds, func(f extract.Found) bool { return f.Member != "" && path.Dir(f.Member) != mend.Sheets }), nil
}
