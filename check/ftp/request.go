package ftp

import (
	"path"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/likeness"
)

// enter changes into one component of the path.
func (s *session) enter(dir string) (check.Result, bool) {
	r, err := s.cwd(dir)
	switch {
	case err != nil:
		return check.Classify(err), false
	case r.code/100 != 2:
		return judgeEntry(r), false
	}
	return check.Result{}, true
}

func (s *session) cwd(dir string) (reply, error) {
	r, err := s.ask(func() error { return s.lib.ChangeDir(dir) })
	if err == nil && r.code/100 == 2 {
		s.trail = append(s.trail, dir)
	}
	return r, err
}

// file asks one question after another until a reply proves that the name exists,
// and weighs the refusals when none did. heard are the replies to SIZE and MDTM where they were
// asked before.
func (s *session) file(heard ...reply) check.Result {
	name := s.u.Name
	questions := []func() (reply, error){
		func() (reply, error) { return s.ask(func() error { _, err := s.lib.FileSize(name); return err }) },
		func() (reply, error) { return s.ask(func() error { _, err := s.lib.GetTime(name); return err }) },
		func() (reply, error) { return s.ask(func() error { _, err := s.lib.GetEntry(name); return err }) },
		func() (reply, error) { return s.cwd(name) },
	}
	var votes [later + 1]*reply // the first reply of each kind
	known := false              // one of the questions about files was understood
	for i, question := range questions {
		var r reply
		var err error
		if i < len(heard) {
			r = heard[i]
		} else {
			r, err = question()
		}
		if err != nil {
			return check.Classify(err)
		}
		v := r.vote()
		if v == proves && linkItself.MatchString(r.text) && (votes[saysGone] != nil || votes[saysNo] != nil) {
			v = saysNothing // it may lead nowhere: SIZE, which follows it, was refused
		}
		isDir := i == len(questions)-1
		switch {
		case v == proves:
			found := r.result(check.OK)
			if octets, err := strconv.ParseInt(r.text, 10, 64); err == nil && i == 0 && octets >= 0 {
				found.Look = likeness.LookAtSize(octets)
			}
			return found
		case isDir && r.code == 550 && isFile.MatchString(r.text) && v != saysGone:
			return check.New(check.OK, check.ReasonFTPIsAFile, r.text)
		case r.code == 421:
			return r.result(check.Temporary)
		}
		known = known || !isDir && v != unsupported
		if votes[v] == nil || votes[v].code/100 == 4 && r.code/100 == 5 { // "for good" says more
			votes[v] = &r
		}
	}
	return s.weigh(votes, known)
}

// weigh judges by the refusals, the weakest judgement first: OUTCOMES 1.4, ftp.
func (s *session) weigh(votes [later + 1]*reply, known bool) check.Result {
	switch {
	case votes[saysDenied] != nil:
		return votes[saysDenied].result(check.Auth)
	case votes[later] != nil:
		return votes[later].result(check.Temporary)
	case !known:
		return s.list(votes)
	case votes[saysGone] != nil:
		return votes[saysGone].gone()
	case votes[saysEither] != nil:
		return votes[saysEither].result(check.Temporary)
	case votes[saysNo] != nil:
		return votes[saysNo].result(check.Gone).WithEvidence(check.Weak)
	}
	return votes[saysNothing].result(check.Undetermined) // known by this vote alone
}

// directory asks about a name with ";type=d". CWD is the proof; an empty
// directory may refuse to be listed (PROTOCOLS 7.2).
func (s *session) directory() check.Result {
	r, err := s.cwd(s.u.Name)
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code/100 == 2:
		return r.result(check.OK)
	case r.vote() == saysGone || r.vote() == saysDenied || r.code/100 == 4:
		return judgeEntry(r)
	}
	var votes [later + 1]*reply
	votes[r.vote()] = &r
	return s.list(votes)
}

// list asks for the name by NLST, the last resort: the only question that needs
// a data connection. A listing that holds the name proves it; an empty one
// proves nothing, since servers send it for missing names too (REAL-SERVERS E).
func (s *session) list(votes [later + 1]*reply) check.Result {
	var names []string
	r, err := s.ask(func() (err error) { names, err = s.lib.NameList(s.u.Name); return err })
	switch {
	case err != nil && s.control.broken != nil:
		return check.Classify(err)
	case r.code/100 <= 2 && s.listed(names):
		return check.New(check.OK, check.ReasonListed, names[0])
	case r.code == 521, r.code == 522, r.code == 534: // RFC 4217 section 9: only over TLS, OUTCOMES 1.4
		return check.New(check.Auth, check.ReasonTLSRequired, r.text)
	case r.vote() == saysDenied:
		return r.result(check.Auth)
	case r.code/100 >= 4 && absent.MatchString(r.text):
		return r.result(check.Gone).WithEvidence(check.Weak)
	case votes[saysGone] != nil:
		return votes[saysGone].result(check.Gone).WithEvidence(check.Weak)
	case s.u.Type == 'd' && votes[saysNo] != nil:
		return votes[saysNo].result(check.Gone).WithEvidence(check.Weak)
	}
	for _, v := range []vote{saysNo, saysNothing, unsupported} {
		if votes[v] != nil {
			return votes[v].result(check.Undetermined)
		}
	}
	return r.result(check.Undetermined)
}

// listed reports whether a name list holds the name: itself, or its entries.
func (s *session) listed(names []string) bool {
	for _, n := range names {
		n = strings.TrimSpace(n)
		if absent.MatchString(n) && strings.Contains(n, ":") { // some put ls's complaint into the list
			continue
		}
		if s.u.Type == 'd' && n != "" || path.Base(n) == path.Base(s.u.Name) || path.Base(path.Dir(n)) == path.Base(s.u.Name) {
			return true
		}
	}
	return false
}

// ask puts a question through the library and gives the server's reply; the
// library's own view of it does not count. The error is a broken conversation.
func (s *session) ask(question func() error) (reply, error) {
	s.control.last = reply{}
	return s.control.settled(question())
}
