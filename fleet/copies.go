package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"linkcheck/internal/openfile"
	"linkcheck/store"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// Copies is a folder that all workers see, with the last two copies of each shard. A copy is
// named NNN@CURSOR and holds at least the changes up to that place.
type Copies string

const mostCopies = 2 // of a shard

// Begin makes the folder one of the copies of a set, which is read as one store. One of
// another set is refused.
func (c Copies) Begin(ctx context.Context, of *setfile.Set) error {
	if !setfile.Stands(string(c)) {
		set := *of
		set.Copies = true
		return set.Write(string(c))
	}
	is, err := setfile.Read(ctx, string(c))
	if err == nil && (is.ID != of.ID || !is.Copies) {
		err = fmt.Errorf("%w: it holds those of another set", ErrOtherSet)
	}
	return err
}

// fetch puts the newest copy of a shard in the place of a file, if the file is not as far.
func (c Copies) fetch(ctx context.Context, shard int, file string, o *store.Options) error {
	if c == "" {
		return nil
	}
	list, err := setfile.Cursors(string(c), shard)
	if err != nil || len(list) == 0 {
		return err
	}
	newest := setfile.Copy(string(c), shard, list[0])
	have, err := cursorOf(ctx, file, o, false)
	if err == nil && have >= list[0] {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrForeign) {
		return err
	}
	part := file + ".part"
	defer os.Remove(part)
	if err := copyTo(ctx, part, newest); err != nil {
		return err
	}
	if have, err = cursorOf(ctx, part, o, true); err == nil && have < list[0] {
		err = fmt.Errorf("%w: it holds less than its name says", store.ErrCorrupt)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", filepath.Base(newest), err)
	}
	return os.Rename(part, file)
}

// Folder fills a folder with the newest copies of all shards, to be read as one store.
func (c Copies) Folder(ctx context.Context, dir string, shards int) error {
	for n := range shards {
		if err := c.fetch(ctx, n, setfile.File(dir, n), &store.Options{}); err != nil {
			return fmt.Errorf("shard %s: %w", shardName(n), err)
		}
	}
	return setfile.NewFleet(shards, equal.Edition).Write(dir)
}

// cursorOf is that of the store in a file; with verify, of one that is sound.
func cursorOf(ctx context.Context, file string, o *store.Options, verify bool) (at uint64, err error) {
	if _, err := os.Stat(file); err != nil {
		return 0, err
	}
	opts := *o
	opts.Context = ctx
	s, err := store.Open(file, &opts)
	if err != nil {
		return 0, err
	}
	if verify {
		var problems []string
		if problems, err = s.Verify(ctx); err == nil && len(problems) > 0 {
			err = fmt.Errorf("%w: %s", store.ErrCorrupt, problems[0])
		}
	}
	return s.Cursor(), errors.Join(err, s.Close())
}

func copyTo(ctx context.Context, to, from string) error {
	in, err := openfile.Read(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// keep adds a copy of a shard, and drops those beyond the last two. It gives the place up to
// which the log is not needed any more.
func (c Copies) keep(ctx context.Context, shard int, s *store.Store) (cursor uint64, err error) {
	cursor = s.Cursor()
	if cursor == 0 {
		return 0, nil
	}
	list, err := setfile.Cursors(string(c), shard)
	if err != nil || slices.Contains(list, cursor) {
		return cursor, err
	}
	if err := s.Backup(ctx, setfile.Copy(string(c), shard, cursor)); err != nil {
		return 0, err
	}
	for _, old := range list[min(mostCopies-1, len(list)):] {
		err = errors.Join(err, os.Remove(setfile.Copy(string(c), shard, old)))
	}
	return cursor, err
}
