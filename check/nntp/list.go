package nntp

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// longestLine is how many octets a line of a list may have: an overview repeats fields of
// the article (RFC 3977 section 8.1), References among them.
const longestLine = 64 << 10

// list asks which articles a group has, where there can be any.
func (b *bringing) list(s *session, group reply) check.Result {
	var code, count, low, high, before uint64
	if n, _ := fmt.Sscan(group.line, &code, &count, &low, &high); n < 4 {
		return check.New(check.Undetermined, check.ReasonGarbled, group.line)
	}
	_, err := fmt.Sscan(b.wanted.Version, new(uint64), new(uint64), &before)
	known := err == nil
	b.version = fmt.Sprintf("%d %d %d", count, low, high)
	b.first = max(b.first, 1)
	begin := max(b.first, low)
	if b.last = 0; b.wanted.Most > 0 {
		b.last = begin + uint64(b.wanted.Most) - 1
	}
	if count == 0 && high < low || known && high <= before || !known && begin > high { // RFC 3977 section 6.1.1.2
		b.bring = noEntry
		return group.result(check.OK)
	}
	return b.ranged(s, group, begin, high)
}

// overEntry reads a line of an overview, RFC 3977 section 8.3.2: number, subject, author,
// date and Message-ID are the first fields of all.
func (b *bringing) overEntry(line string) (check.Entry, bool) {
	f := strings.SplitN(line, "\t", 6)
	if len(f) < 5 {
		return check.Entry{}, false
	}
	return b.entry(f[0], f[4])
}

// headerEntry reads a line of HDR: number and Message-ID.
func (b *bringing) headerEntry(line string) (check.Entry, bool) {
	number, id, ok := strings.Cut(line, " ")
	if !ok {
		return check.Entry{}, false
	}
	return b.entry(number, strings.TrimSpace(id))
}

// numberEntry reads a line of LISTGROUP.
func (b *bringing) numberEntry(line string) (check.Entry, bool) {
	return b.entry(strings.TrimSpace(line), "")
}

func (b *bringing) entry(number, id string) (check.Entry, bool) {
	if !isNumber(number) {
		return check.Entry{}, false
	}
	return check.Entry{Name: b.articleURI(id, number), Version: number}, true
}

// groupEntry reads a line of LIST ACTIVE, RFC 3977 section 7.6.3.
func (b *bringing) groupEntry(line string) (check.Entry, bool) {
	f := strings.Fields(line)
	if len(f) < 4 || !wire.LineSafe(f[0]) {
		return check.Entry{}, false
	}
	news, _ := b.schemes()
	return check.Entry{Name: b.address(news, question{group: f[0]}.path()), Version: strings.Join(f[1:4], " "), Folder: true}, true
}

func noEntry(string) (check.Entry, bool) { return check.Entry{}, false }

// address is that of an article or group of the server.
func (b *bringing) address(scheme, path string) string {
	known, _ := uri.Lookup(scheme)
	host := b.at.Host
	if b.at.Port != 0 && b.at.Port != known.DefaultPort {
		host = fmt.Sprintf("%s:%d", host, b.at.Port)
	}
	return scheme + "://" + host + "/" + path
}

// schemes are those of articles by their Message-ID and by their number, with TLS or
// without it as the URI has it.
func (b *bringing) schemes() (news, nntp string) {
	if tlsScheme(b.uri.Scheme()) {
		return "snews", "nntps"
	}
	return "news", "nntp"
}

// articleURI is the URI of an article: by its Message-ID, if that makes one, else by its
// number.
func (b *bringing) articleURI(id, number string) string {
	news, nntp := b.schemes()
	if id = strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">"); id != "" {
		address := b.address(news, question{id: id}.path())
		if u, err := uri.Parse(address); err == nil {
			if n, ok := u.(*uri.News); ok && n.MessageID == id {
				return address
			}
		}
	}
	return b.address(nntp, question{group: b.group}.path()+"/"+number)
}

// entries yields what a list names. Lines that cannot be read are passed over, and make
// the list not whole.
func (b *bringing) entries(yield func(check.Entry, error) bool) {
	in := bufio.NewReaderSize(b.body.Reader(), longestLine)
	var unread error
	for n := 0; ; {
		line, err := wire.ReadLine(in)
		switch {
		case err == io.EOF && line == "":
			if err = unread; b.broken != nil {
				err = b.broken
			} else if b.cut {
				err = wire.ErrTooLong
			}
			if err != nil {
				yield(check.Entry{}, err)
			}
			return
		case err == io.EOF: // a part of a line
			continue
		case err != nil:
			yield(check.Entry{}, err)
			return
		}
		e, ok := b.bring(line)
		switch {
		case !ok:
			unread = wire.Garbled(fmt.Sprintf("not a line of the list: %.100q", line))
		case !b.wants(&e):
		case n == wire.LongestList:
			yield(check.Entry{}, wire.ErrTooLong)
			return
		case !yield(e, nil):
			return
		default:
			n++
		}
	}
}

// wants says whether an entry is one of those that were asked for: servers pass over
// patterns and ranges.
func (b *bringing) wants(e *check.Entry) bool {
	if e.Folder {
		name, _ := url.PathUnescape(e.Name[strings.LastIndexByte(e.Name, '/')+1:])
		return b.group == "" || b.group == "*" || matches(b.group, name)
	}
	return b.wantsNumber(e.Version)
}

// wantsNumber is wants for the number of an article. What is no number is wanted, and said
// to be none.
func (b *bringing) wantsNumber(number string) bool {
	n, err := strconv.ParseUint(number, 10, 63)
	return err != nil || n >= b.first && (b.last == 0 || n <= b.last)
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil
}

// keep keeps the lines that follow a reply. Where more come than are wanted, the session is
// not used again.
func (b *bringing) keep(s *session) (err error) {
	lines := newDotted(s.r)
	if b.cut, err = b.body.Fill(lines, b.limit); b.cut {
		s.spent = true
	} else if err != nil {
		b.broken = s.fail(err)
	}
	return err
}

// dotted reads the lines that follow a reply as they were before they were sent: without
// the "." line that ends them, and without the dot before others (RFC 3977 section 3.1.1).
type dotted struct {
	in    *bufio.Reader
	begin bool // a line begins
	rest  []byte
	err   error
}

func newDotted(in *bufio.Reader) *dotted { return &dotted{in: in, begin: true} }

// Read implements io.Reader.
func (d *dotted) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.next()
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// next takes the next line, or a part of a long one.
func (d *dotted) next() {
	line, err := d.in.ReadSlice('\n')
	whole := err == nil
	if err == bufio.ErrBufferFull {
		err = nil
	}
	if d.begin && whole && (string(line) == ".\r\n" || string(line) == ".\n") {
		d.err = io.EOF
		return
	}
	if d.begin && len(line) > 0 && line[0] == '.' {
		line = line[1:]
	}
	d.begin, d.rest = whole, line
	if d.err = err; err == io.EOF { // before the "." line
		d.err = io.ErrUnexpectedEOF
	}
}
