package imap

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// ask is the conversation behind the login.
func (b *bringing) ask(s *session) check.Result {
	if b.uid == 0 {
		return b.list(s)
	}
	if s.mailbox != b.mailbox {
		if r, ok := s.examine(b.mailbox); !ok {
			return r
		}
	}
	if s.validity != b.validity {
		return check.New(check.Temporary, check.ReasonIMAPNo, fmt.Sprintf("UIDVALIDITY is %d now", s.validity))
	}
	return b.message(s)
}

// examine opens a mailbox so that nothing changes in it, RFC 3501 section 6.3.2.
func (s *session) examine(mailbox string) (r check.Result, ok bool) {
	s.mailbox, s.validity, s.exists = "", 0, 0
	end, err := s.command("EXAMINE "+quoted(modifiedUTF7(mailbox)), func(r *response) error {
		if name, value, _ := strings.Cut(r.code, " "); r.word == "OK" && name == "UIDVALIDITY" {
			s.validity = numberOf(value)
		}
		return nil
	})
	switch {
	case err != nil:
		return check.Classify(err), false
	case end.word != "OK":
		return s.naming(end.judge(true)), false
	case s.validity == 0: // RFC 3501 section 2.3.1.1: then its UIDs do not last
		return check.New(check.Undetermined, check.ReasonGarbled, "the mailbox has no UIDVALIDITY"), false
	}
	s.mailbox = mailbox
	return r, true
}

// mostNamed is how many mailboxes are named where one is not there.
const mostNamed = 10

// naming adds to the result of a mailbox that is not there, or cannot be opened, which there
// are: of many the first, and those alone whose names are sent as they are.
func (s *session) naming(r check.Result) check.Result {
	if r.Outcome != check.Gone && (r.Outcome != check.Undetermined || r.Reason != check.ReasonIMAPNo) {
		return r
	}
	var names []string
	end, err := s.command(`LIST "" "*"`, func(r *response) error {
		_, rest, ok := valueOf(r.text)
		if ok && r.word == "LIST" {
			_, rest, ok = valueOf(strings.TrimPrefix(rest, " ")) // what stands between the parts of a name
		}
		name, _, named := valueOf(strings.TrimPrefix(rest, " ") + " ")
		if ok && named && r.word == "LIST" && name != "" && !strings.Contains(name, "&") {
			names = append(names, name)
		}
		return nil
	})
	if err != nil || end.word != "OK" || len(names) == 0 {
		return r
	}
	slices.Sort(names)
	if len(names) > mostNamed {
		names = append(names[:mostNamed], "others")
	}
	r.Reply = check.CleanReply(r.Reply + "; there are " + strings.Join(names, ", "))
	return r
}

// list asks which messages there are. What was added or taken away between the count and
// the list is looked at once more.
func (b *bringing) list(s *session) check.Result {
	r, ok := s.examine(b.mailbox)
	if !ok {
		return r
	}
	b.validity = s.validity
	for range 2 {
		b.uids = nil
		end, err := s.command("UID SEARCH ALL", func(r *response) error {
			if r.word != "SEARCH" {
				return nil
			}
			return b.listed(r.text)
		})
		switch {
		case err != nil:
			return check.Classify(err)
		case end.word != "OK":
			return end.judge(false)
		}
		slices.Sort(b.uids)
		b.uids = slices.Compact(b.uids)
		if b.short = nil; len(b.uids) == int(s.exists) {
			break
		}
		b.short = wire.Garbled(fmt.Sprintf("%d messages are listed, and %d are counted", len(b.uids), s.exists))
	}
	return check.New(check.OK, check.ReasonIMAPAnswer, "")
}

// listed takes the numbers of a SEARCH response, RFC 3501 section 7.2.5.
func (b *bringing) listed(numbers string) error {
	for word := range strings.FieldsSeq(numbers) {
		if strings.HasPrefix(word, "(MODSEQ") { // RFC 7162 section 3.1.5
			return nil
		}
		uid := numberOf(word)
		switch {
		case uid == 0:
			return wire.Garbled(fmt.Sprintf("no UID: %.40q", word))
		case len(b.uids) == wire.LongestList:
			return wire.ErrTooLong
		}
		b.uids = append(b.uids, uid)
	}
	return nil
}

// message fetches one.
func (b *bringing) message(s *session) check.Result {
	if err := b.body.Close(); err != nil {
		return check.Classify(errors.Join(wire.ErrSpool, err))
	}
	came := 0
	s.body = func(r io.Reader) (err error) {
		if came++; came > 1 {
			return wire.Garbled("a message comes twice")
		}
		if b.cut, err = b.body.Fill(r, b.limit); b.cut { // the rest is not waited for
			s.spent = true
			err = errCut
		}
		return err
	}
	defer func() { s.body = nil }()
	end, err := s.command(fmt.Sprintf("UID FETCH %d (UID BODY.PEEK[])", b.uid), func(r *response) error {
		if r.word != "FETCH" {
			return nil
		}
		return b.fetched(s, r)
	})
	switch {
	case err == errCut:
	case err != nil:
		return check.Classify(err)
	case end.word != "OK":
		return end.judge(false)
	case came == 0:
		return check.New(check.Gone, check.ReasonIMAPMissing, end.text)
	case b.body.Size() == 0:
		return check.New(check.Undetermined, check.ReasonEmpty, "the message has no octet")
	}
	return check.New(check.OK, check.ReasonIMAPAnswer, "")
}

// errCut ends the reading of a message that is longer than what is read of one.
var errCut = errors.New("the message is longer than what is read of one")

// fetched looks at a FETCH response whose literal, if it has one, has been read. Others say
// that flags have changed.
func (b *bringing) fetched(s *session, r *response) error {
	items, ok := itemsOf(r.text)
	if !ok {
		return wire.Garbled(fmt.Sprintf("no FETCH response: %.100q", r.text))
	}
	body, has := items["BODY[]"]
	switch {
	case !has && !r.literal:
		return nil
	case !has, numberOf(items["UID"]) != b.uid:
		return wire.Garbled(fmt.Sprintf("another message than the one asked for: %.100q", r.text))
	case !r.literal && body != "NIL":
		return s.body(strings.NewReader(body))
	case !r.literal:
		return s.body(strings.NewReader(""))
	}
	return nil
}

// modifiedUTF7 is how the name of a mailbox is sent, RFC 3501 section 5.1.3.
func modifiedUTF7(name string) string {
	var b strings.Builder
	var wide []uint16
	flush := func() {
		if len(wide) == 0 {
			return
		}
		octets := make([]byte, 0, 2*len(wide))
		for _, c := range wide {
			octets = append(octets, byte(c>>8), byte(c))
		}
		b.WriteString("&" + strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(octets), "/", ",") + "-")
		wide = wide[:0]
	}
	for _, c := range name {
		if c < ' ' || c > '~' {
			wide = utf16.AppendRune(wide, c)
			continue
		}
		if flush(); c == '&' {
			b.WriteByte('&')
			c = '-'
		}
		b.WriteRune(c)
	}
	flush()
	return b.String()
}

// quoted is a string of printable ASCII as it is sent, RFC 3501 section 4.3.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
