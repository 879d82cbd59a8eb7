package ftp

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Read implements check.Reader for files and folders; a path that ends with a slash, or has
// ";type=d", names a folder.
//
// Of a file Body is its octets, and Version "modify=YYYYMMDDhhmmss;size=N" as MDTM and SIZE
// say it, where they do. Where Wanted.Version says the same, in these words or in those of a
// row of LIST, the file is not fetched: the Result has the reason ftp-213. A file of which
// fewer octets come than SIZE says, or where it says nothing Wanted.Listed, seems to be cut.
//
// Of a folder Entries are what is in it, in the order of the server. Name is the whole
// address, that of a folder with a slash at its end, and Folder is set for folders alone.
// Answer.Version is the command that listed it, for lists of different commands differ:
//
//	MLSD   Entry.Version is "modify=...;size=..."; of what is neither file nor folder, as a
//	       symbolic link, with ";type=..." behind it
//	LIST   Entry.Version is the row without the name; that of a symbolic link begins with "l"
//	NLST   Entry.Version is empty, and which are folders is not known
//
// A list with a row that cannot be read, or that did not come whole, ends in an error.
func (p *prober) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, ok := target(t.URI)
	b := &bringing{wanted: w}
	defer b.body.Close()
	r := p.o.Run(check.WithTimeout(ctx, wire.ReadTime), func(ctx context.Context) check.Result {
		if !ok {
			return check.New(check.Internal, check.ReasonInternalError, "not an ftp URL")
		}
		if !safe(u) {
			return check.Classify(wire.ErrControl)
		}
		wait := wire.NewPatience(ctx, p.o.Timeout)
		defer wait.End()
		r := p.ask(wait, u, b.ask)
		r.Bytes += b.octets
		return r
	})
	if r.Outcome != check.OK || b.came == nil {
		return r, nil
	}
	a := b.came
	a.URI = t.URI
	return r, take(a)
}

// bringing is a Read under way.
type bringing struct {
	wanted check.Wanted
	body   wire.Spool
	octets int64 // of data connections
	came   *check.Answer
}

// ask is the conversation.
func (b *bringing) ask(s *session) check.Result {
	b.came = nil
	begin := s.octets
	defer func() { b.octets += s.octets - begin }()
	if r, ok := s.descend(); !ok {
		return r
	}
	if s.u.Type == 'd' && s.u.Name != "" {
		if r, ok := s.enter(s.u.Name); !ok {
			return r
		}
	}
	switch {
	case len(s.u.Dirs) == 0 && s.u.Name == "":
		return b.folder(s, check.New(check.OK, check.ReasonFTP(230), s.control.entered.text))
	case s.u.Name == "" || s.u.Type == 'd':
		return b.folder(s, s.control.last.result(check.OK))
	}
	return b.file(s)
}

// file fetches a file.
func (b *bringing) file(s *session) check.Result {
	var facts [2]string
	var heard [2]reply
	for i, command := range []string{"MDTM ", "SIZE "} {
		r, err := s.control.ask(command + s.u.Name)
		switch {
		case err != nil:
			return check.Classify(err)
		case r.code == 213:
			facts[i] = strings.TrimSpace(r.text)
		}
		heard[1-i] = r
	}
	if sameState(b.wanted.Version, facts[0], facts[1]) {
		same := s.control.last.result(check.OK) // that of SIZE: 213
		if octets, err := strconv.ParseInt(facts[1], 10, 64); err == nil && octets >= 0 {
			same.Look = likeness.LookAtSize(octets)
		}
		return same
	}
	t, err := s.fetch("RETR "+s.u.Name, &b.body, wire.Largest(b.wanted.MaxBytes))
	switch {
	case err != nil:
		return check.Classify(err)
	case !t.began:
		return s.notFetched(t.last, heard)
	case t.broken != nil && b.body.Size() == 0:
		return check.Classify(t.broken)
	}
	b.came = &check.Answer{Body: b.body.Reader(), Cut: t.more}
	if facts[0] != "" && facts[1] != "" {
		b.came.Version = state(facts[0], facts[1])
	}
	r := check.New(check.OK, check.ReasonFTP(226), "226")
	switch size := sizeOf(cmp.Or(state("", facts[1]), b.wanted.Listed)); {
	case t.more:
	case !t.whole():
		b.came.Body = io.MultiReader(b.came.Body, failing{cmp.Or(t.broken, error(&ended{t.last}))})
	case b.body.Size() < size && b.body.Digest() != b.wanted.Short:
		b.came.Short = b.body.Digest()
		b.came.Body = io.MultiReader(b.came.Body, failing{fmt.Errorf("%d octets came of %d", b.body.Size(), size)})
		fallthrough
	default:
		r = t.last.result(check.OK)
	}
	r.Look = likeness.LookAtSize(b.body.Size())
	return r
}

// notFetched judges a refusal to send a file, by what a probe would hear of it. heard are the
// replies to SIZE and MDTM. What it answers for a folder is OK, and nothing came.
func (s *session) notFetched(refusal reply, heard [2]reply) check.Result {
	trail := len(s.trail)
	r := s.file(heard[:]...)
	if r.Outcome != check.OK {
		return r
	}
	folder := len(s.trail) > trail || strings.Contains(strings.ToLower(r.Reply), "type=dir;")
	switch v := refusal.vote(); {
	case folder && (v == saysGone || v == saysNo || v == saysNothing): // it is no file
		return r
	case v == saysDenied:
		return refusal.result(check.Auth)
	case v == later || v == saysEither:
		return refusal.result(check.Temporary)
	}
	return refusal.result(check.Undetermined)
}

// folder lists the folder at hand, whose result is there: without its name,
// since servers take a name that is not there for an empty list (REAL-SERVERS E).
func (b *bringing) folder(s *session, there check.Result) check.Result {
	for _, way := range []struct {
		command string
		format  format
	}{{"MLSD", factRow}, {"LIST", listRow}, {"NLST", nameRow}} {
		if way.command == "MLSD" && s.withoutMLSD {
			continue
		}
		t, err := s.fetch(way.command, &b.body, wire.LargestList)
		if err != nil {
			return check.Classify(err)
		}
		none := t.last.code/100 >= 4 && b.body.Size() == 0 && noFiles.MatchString(t.last.text)
		switch {
		case t.began || none:
			b.came = &check.Answer{Version: way.command, Entries: b.entries(s.u, way.format, &t, none)}
			return there
		case t.last.code/100 == 5 && t.last.code < 530:
			s.withoutMLSD = true
		default:
			return judgeEntry(t.last)
		}
	}
	return s.control.last.result(check.Undetermined)
}

// entries are what is in a folder.
func (b *bringing) entries(u *uri.FTP, read format, t *transfer, none bool) func(func(check.Entry, error) bool) {
	base, _, _ := strings.Cut(u.String(), ";type=")
	base, _, _ = strings.Cut(base, "#")
	base = strings.TrimSuffix(base, "/") + "/"
	return func(yield func(check.Entry, error) bool) {
		in := bufio.NewReaderSize(b.body.Reader(), wire.MaxLine)
		var unread error
		n := 0
		for {
			line, err := wire.ReadLine(in)
			if err == io.EOF && (line == "" || t.more) {
				break
			}
			if err != nil && err != io.EOF {
				yield(check.Entry{}, err)
				return
			}
			r, ok := read(line)
			switch {
			case !ok:
				unread = wire.Garbled(fmt.Sprintf("a row that cannot be read: %.100q", line))
			case r.name == "":
			case n == wire.LongestList:
				yield(check.Entry{}, wire.ErrTooLong)
				return
			default:
				if n++; !yield(r.entry(base), nil) || n == b.wanted.Most {
					return
				}
			}
		}
		switch {
		case unread != nil:
		case t.more:
			unread = wire.ErrTooLong
		case t.broken != nil:
			unread = t.broken
		case !t.whole() && !none:
			unread = &ended{t.last}
		}
		if unread != nil {
			yield(check.Entry{}, unread)
		}
	}
}

// entry is a member as others know it.
func (r member) entry(base string) check.Entry {
	e := check.Entry{Name: base + wire.Escape(r.name, "\"#%/:;<=>?@[\\]^`{|}"), Version: r.words, Folder: r.folder}
	if r.folder {
		e.Name += "/"
	}
	return e
}

// ended is the error where a server says that a transfer did not end well.
type ended struct{ said reply }

// Error implements error.
func (e *ended) Error() string { return fmt.Sprintf("%d %.200q", e.said.code, e.said.text) }

// failing is the end of a file that did not come whole.
type failing struct{ error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.error }
