package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/imap"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
)

// letters is a mailbox in memory: its messages by their UIDs.
type letters struct {
	validity int
	texts    map[int]string
	status   map[string]check.Result // by UID; "": of the list
	torn     map[int]bool            // messages that break off
	ends     error                   // with which the list ends
	asked    []string                // UIDs; "": the list
}

const mailAt = "imap://mail.example/list"

func (s *letters) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	uid := strings.TrimPrefix(path.Base(t.URI.String()), ";UID=")
	if t.URI.String() == mailAt {
		uid = ""
	}
	s.asked = append(s.asked, uid)
	if r, failing := s.status[uid]; failing {
		return r, nil
	}
	ok := check.New(check.OK, check.ReasonIMAPAnswer, "")
	if uid == "" {
		return ok, take(&check.Answer{URI: t.URI, Version: fmt.Sprint(s.validity), Entries: s.list})
	}
	for n, text := range s.texts {
		switch {
		case s.name(n) != t.URI.String():
		case s.torn[n]:
			return ok, take(&check.Answer{URI: t.URI, Body: iotest.ErrReader(io.ErrUnexpectedEOF)})
		default:
			return ok, take(&check.Answer{URI: t.URI, Media: "message/rfc822", Body: strings.NewReader(text)})
		}
	}
	return check.New(check.Gone, check.ReasonIMAPMissing, ""), nil
}

func (s *letters) name(uid int) string {
	return fmt.Sprintf("%s;UIDVALIDITY=%d/;UID=%d", mailAt, s.validity, uid)
}

func (s *letters) list(yield func(check.Entry, error) bool) {
	var all []int
	for n := range s.texts {
		all = append(all, n)
	}
	slices.Sort(all)
	for _, n := range all {
		if !yield(check.Entry{Name: s.name(n), Version: fmt.Sprint(n)}, nil) {
			return
		}
	}
	if s.ends != nil {
		yield(check.Entry{}, s.ends)
	}
}

// anew numbers all messages anew, from a number on.
func (s *letters) anew(from int) {
	var all []int
	for n := range s.texts {
		all = append(all, n)
	}
	slices.Sort(all)
	texts := map[int]string{}
	for i, n := range all {
		texts[from+i] = s.texts[n]
	}
	s.validity, s.texts = s.validity+1, texts
}

func lettersOf(n int) *letters {
	s := &letters{validity: 7, texts: map[int]string{}, torn: map[int]bool{}}
	for uid := 1; uid <= n; uid++ {
		s.texts[uid] = fmt.Sprintf("Subject: %d\r\n\r\nhttp://h%d.example/\r\n", uid, uid)
	}
	return s
}

func TestMailboxSuite(t *testing.T) {
	Run(t, Case{
		Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
			return harvest.NewMailbox(rootOf(t, mailAt), r, harvest.Options{Now: now})
		},
		World: func() check.Reader { return lettersOf(6) },
		Again: 2, // the list and the message at hand
	})
}

// mailNights reads a mailbox again and again.
type mailNights struct {
	*letters
	harvesttest.Store
	harvesttest.Nights
	root harvest.Root
}

func mailNightsOf(t *testing.T, n int) *mailNights {
	return &mailNights{letters: lettersOf(n), root: rootOf(t, mailAt)}
}

// night gives what is told of messages, "3R" for one that was read, and how it ends.
func (m *mailNights) night(t *testing.T) string {
	t.Helper()
	m.asked = nil
	items, notes, err := told(t, &m.Store, harvest.NewMailbox(m.root, m.letters, harvest.Options{Now: m.Now}))
	m.Nights++
	var all []string
	for name, kinds := range items {
		if kinds != "S" {
			all = append(all, strings.TrimPrefix(path.Base(name), ";UID=")+kinds)
		}
	}
	slices.Sort(all)
	all = append(all, notes...)
	if err != nil {
		all = append(all, err.Error())
	}
	return strings.Join(all, " ")
}

// TestMailbox: messages come and go, and nothing is read twice.
func TestMailbox(t *testing.T) {
	gone, no := check.New(check.Gone, check.ReasonIMAPMissing, ""), check.New(check.Undetermined, check.ReasonIMAPNo, "NO")
	for name, c := range map[string]struct {
		change func(m *mailNights)
		want   string
		stand  int
	}{
		"nothing":                  {func(m *mailNights) {}, "", 4},
		"a new message":            {func(m *mailNights) { m.texts[9] = "Subject: 9\r\n\r\n" }, "9R", 5},
		"one is gone":              {func(m *mailNights) { delete(m.texts, 2) }, "2G", 3},
		"one comes and one is out": {func(m *mailNights) { delete(m.texts, 4); m.texts[5] = "a" }, "4G 5R", 4},
		"one was listed and is not there": {func(m *mailNights) {
			m.texts[5] = "a"
			m.status = map[string]check.Result{"5": gone}
		}, "5F", 4},
		"one is refused":  {func(m *mailNights) { m.texts[5] = "a"; m.status = map[string]check.Result{"5": no} }, "5F imap-no: NO", 4},
		"one breaks off":  {func(m *mailNights) { m.texts[5] = "a"; m.torn[5] = true }, "5R", 4},
		"empty":           {func(m *mailNights) { clear(m.texts) }, "doubted: the mailbox is empty, and had 4 messages", 4},
		"not whole":       {func(m *mailNights) { delete(m.texts, 4); m.ends = errors.New("cut") }, "broken: the list of messages: cut", 4},
		"cut":             {func(m *mailNights) { delete(m.texts, 4); m.ends = io.ErrUnexpectedEOF }, "in outage: eof: connection closed too early", 4},
		"numbered anew":   {func(m *mailNights) { m.anew(11) }, "11R 12R 13R 14R 1E 2E 3E 4E", 4},
		"anew, and fewer": {func(m *mailNights) { delete(m.texts, 2); m.anew(1) }, "1E 1R 2G 2R 3E 3R 4E", 3},
		"anew, and empty": {func(m *mailNights) { clear(m.texts); m.validity++ }, "doubted: the mailbox is empty, and had 4 messages", 4},
		"anew, and one does not come": {func(m *mailNights) { m.anew(11); m.torn[12] = true },
			"11R 12R 13R 14R the server has numbered its messages anew: 4 documents stay until all are read", 7},
		"a bound": {func(m *mailNights) { m.texts[5], m.texts[6], m.root.Documents = "a", "b", 5 }, "5R 5 documents are the bound", 5},
		"anew, and a bound": {func(m *mailNights) { m.anew(11); m.root.Documents = 3 },
			"11R 12R 13R 3 documents are the bound the server has numbered its messages anew: 4 documents stay until all are read", 7},
	} {
		m := mailNightsOf(t, 4)
		if got := m.night(t); got != "1R 2R 3R 4R" {
			t.Errorf("%s: the first night tells %q", name, got)
		}
		c.change(m)
		got := m.night(t)
		if got != c.want || len(m.Standing()) != c.stand {
			t.Errorf("%s: told %q, want %q; %q stand", name, got, c.want, m.Standing())
		}
		if asked := m.asked; len(asked) > 1 && slices.Contains(asked[1:], "1") && m.validity == 7 {
			t.Errorf("%s: asked %q", name, asked)
		}
	}
}

// TestMailboxStops: what a server answers to the question for the list.
func TestMailboxStops(t *testing.T) {
	for _, c := range []struct {
		answer check.Result
		want   string
	}{
		{check.New(check.Temporary, check.ReasonIMAPBye, "Shutting down"), "in outage: imap-bye: Shutting down"},
		{check.New(check.Temporary, check.ReasonIMAPNo, "[LIMIT] Slow down"), "in outage: imap-no: [LIMIT] Slow down"},
		{check.New(check.Auth, check.ReasonIMAPLogin, "Authentication failed."), "refused: imap-login: Authentication failed."},
		{check.New(check.Skipped, check.ReasonTLSRequired, "no TLS"), "refused: tls-required: no TLS"},
		{check.New(check.Gone, check.ReasonIMAPMissing, "Mailbox doesn't exist"), "not found: imap-missing: Mailbox doesn't exist"},
		{check.New(check.Undetermined, check.ReasonIMAPNo, "Unable to open"), "not understood: imap-no: Unable to open"},
		{check.New(check.Undetermined, check.ReasonGarbled, "hello"), "in outage: garbled: hello"},
	} {
		m := mailNightsOf(t, 4)
		m.night(t)
		m.status = map[string]check.Result{"": c.answer}
		if got := m.night(t); got != c.want || len(m.Standing()) != 4 {
			t.Errorf("%q, want %q; %q stand", got, c.want, m.Standing())
		}
	}
}

// TestMailboxAnew: a server that numbers its messages anew and fails while they are read
// takes nothing with it, and what of many is not there any more under the new numbers is
// doubted.
func TestMailboxAnew(t *testing.T) {
	for lost, doubted := range map[int]bool{0: false, 15: false, 30: true} {
		m := mailNightsOf(t, 60)
		m.night(t)
		for uid := range lost {
			delete(m.texts, uid+1)
		}
		m.anew(1)
		m.status = map[string]check.Result{}
		for uid := 10; uid < 20; uid++ {
			m.status[fmt.Sprint(uid)] = check.New(check.Temporary, check.ReasonTimeout, "")
		}
		if got := m.night(t); !strings.HasSuffix(got, "in outage: timeout") {
			t.Errorf("%d lost: %.100q", lost, got)
		}
		if stand := m.Standing(); len(stand) != 60+9 {
			t.Errorf("%d lost: %d stand in the outage", lost, len(stand))
		}
		m.status = nil
		m.night(t)
		_, doubts := m.Whole()
		want := 60 - lost
		if doubted {
			want = 60 // the new ones, and those that are missing
		}
		if stand := m.Standing(); len(stand) != want || (doubts > 0) != doubted {
			t.Errorf("%d lost: %d stand, want %d; %d doubts", lost, len(stand), want, doubts)
		}
	}
}

// TestMailboxInVain: messages that never come, more in a row than an outage has, do not keep
// the others away, are asked for last, and then in each fourth sweep.
func TestMailboxInVain(t *testing.T) {
	m := mailNightsOf(t, 12)
	m.status = map[string]check.Result{}
	for uid := 1; uid <= 7; uid++ {
		m.status[fmt.Sprint(uid)] = check.New(check.Temporary, check.ReasonIMAPNo, "[SERVERBUG] Internal error")
	}
	for night := range 20 {
		m.night(t)
		if at := slices.Index(m.asked, "12"); night > 1 && at > 0 && slices.ContainsFunc(m.asked[1:at], func(uid string) bool { return len(uid) == 1 && uid < "8" }) {
			t.Errorf("night %d: asked %q", night, m.asked)
		}
		if want := 5; night > 3 && len(m.Standing()) != want {
			t.Errorf("night %d: %d stand", night, len(m.Standing()))
		}
	}
	asked := 0
	for range 8 {
		m.night(t)
		asked += len(m.asked) - 1
	}
	if asked == 0 || asked > 2*7 {
		t.Errorf("asked for %d times in 8 nights", asked)
	}
	m.status = nil
	for range 4 {
		m.night(t)
	}
	if len(m.Standing()) != 12 {
		t.Errorf("%q stand", m.Standing())
	}
}

// mailWorld is a mail server that changes from night to night, or fails for one.
type mailWorld struct {
	*rand.Rand
	lab.Mail
	next uint32
}

// night changes something; noise says whether the server fails too.
func (w *mailWorld) night(noise bool) {
	w.Change(func() {
		w.Answer = nil
		for uid := range w.Messages {
			if w.IntN(12) == 0 {
				delete(w.Messages, uid)
			}
		}
		for range w.IntN(4) {
			w.Messages[w.next] = fmt.Sprintf("Subject: %d\r\n\r\nhttp://h%d.example/\r\n", w.next, w.Uint32())
			w.next += 1 + w.Uint32N(3)
		}
		if w.IntN(10) == 0 { // numbered anew
			messages := map[uint32]string{}
			for _, text := range w.Messages {
				messages[w.next] = text
				w.next++
			}
			w.Validity, w.Messages = w.Validity+1, messages
		}
		if w.next > 1000 { // numbers begin anew too
			w.next = 1
			messages := map[uint32]string{}
			for _, text := range w.Messages {
				messages[w.next] = text
				w.next++
			}
			w.Validity, w.Messages = w.Validity+1, messages
		}
		if !noise {
			return
		}
		commands, from := 0, w.IntN(8)
		lie := []string{"* BYE Shutting down", "TAG NO [LIMIT] Slow down", "TAG NO Mailbox doesn't exist", "TAG BAD What?", "TAG WHAT", "TAG OK", "* SEARCH 0\r\nTAG OK", "* SEARCH" + strings.Repeat(" 1 2 0", 50) + "\r\nTAG OK",
			"* 0 EXISTS\r\n* OK [UIDVALIDITY 5]\r\nTAG OK", "* 1 FETCH (UID 999999 BODY[] {5}\r\nhello)\r\nTAG OK", "Z1 OK", "* SEARCH\r\nTAG OK"}[w.IntN(12)]
		lasts := w.IntN(2) == 0
		w.Answer = func(string) string {
			if commands++; commands-1 == from || lasts && commands > from {
				return lie
			}
			return ""
		}
	})
}

// TestMailboxNights: over many nights of random changes and failures no message is retired
// that is there, and after quiet nights what stands is what is there.
func TestMailboxNights(t *testing.T) {
	retired, read := 0, 0
	for seed := range uint64(4) {
		w := &mailWorld{Rand: rand.New(rand.NewPCG(seed, 0)), Mail: lab.Mail{Mailbox: "list", Validity: 3, Messages: map[uint32]string{}}, next: 1}
		at := labtest.Start(t, w.Serve)
		s, now := harvesttest.Store{}, harvesttest.Nights(0)
		root := rootOf(t, "imap://"+at+"/list")
		for night := range 100 {
			quiet := night%20 > 13
			w.night(!quiet && w.IntN(2) == 0)
			before := textsOf(&s)
			reader := imap.New(check.Options{Dialer: checktest.Loopback(), Timeout: 10 * time.Second})
			err := s.Run(t.Context(), harvest.NewMailbox(root, reader.(check.Reader), harvest.Options{Now: now.Now}), 0, night%2 == 0)
			reader.Close()
			now++
			there, stand := map[string]bool{}, map[string]bool{}
			w.Change(func() {
				for _, text := range w.Messages {
					there[text] = true
				}
			})
			for _, text := range textsOf(&s) {
				stand[text] = true
			}
			for name, text := range before {
				if d, _ := s.Document(name); d.Gone {
					if retired++; there[text] && !stand[text] {
						t.Errorf("seed %d, night %d: %s is retired and there (%v)", seed, night, name, err)
					}
				}
			}
			read += s.Told[harvest.Read]
			if ended, _ := s.Whole(); !quiet || night%20 < 19 || len(there) == 0 {
				continue
			} else if !ended || len(stand) != len(there) {
				t.Errorf("seed %d, night %d: %d stand and %d are there, %v, whole %v", seed, night, len(stand), len(there), err, ended)
			}
		}
		for _, wrong := range s.Wrong {
			t.Errorf("seed %d: %s", seed, wrong)
		}
	}
	if t.Logf("%d messages read, %d retired", read, retired); retired < 100 || read < 200 {
		t.Error("hardly anything happened")
	}
}

// textsOf are the texts of the documents of a store that stand, by their names.
func textsOf(s *harvesttest.Store) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(s.Report()) {
		name, rest, _ := strings.Cut(line, " ")
		_, quoted, _ := strings.Cut(rest, `base="" `)
		text, err := strconv.Unquote(strings.TrimSpace(quoted))
		if err != nil {
			text = line
		}
		all[name] = text
	}
	return all
}
