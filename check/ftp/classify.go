package ftp

import (
	"fmt"
	"regexp"

	"linkcheck/check"
)

// The words by which servers of four decades tell their 550s apart:
// OUTCOMES 1.4, PROTOCOLS 7.4, REAL-SERVERS E.
var (
	absent = regexp.MustCompile(`(?i)no such|not found|does(n't| not) exist|can(not|'t| not) find|unable to locate|unknown file`)
	// Both RFC 959 section 4.2.1 (busy) and goftp (missing) say so.
	unavailable = regexp.MustCompile(`(?i)file (is )?(not |un)available`)
	denied      = regexp.MustCompile(`(?i)denied|permission|not (authori[sz]ed|permitted|allowed to)|prohibited|forbidden|not enough privileges`)
	nothing     = regexp.MustCompile(`(?i)not a (plain|regular)|is a (directory|folder)|regular files|ascii mode|not understood|not implemented`)
	isFile      = regexp.MustCompile(`(?i)not a (directory|folder)`)
	noFiles     = regexp.MustCompile(`(?i)no (such )?files?( or director(y|ies))?( found)?|empty|no entries`)
	full        = regexp.MustCompile(`(?i)too many|maximum|\bmax\b.*(user|client|connection|session)|\blimits?\b|limited to (the first )?\d|no more (users|connections)`)
	trouble     = regexp.MustCompile(`(?i)being used|\blocked|try (again )?later|try again|temporar|timed out|stale (nfs|file)|input/output|i/o error|too many open|resources|no space left|shutting down`)
	tlsWord     = regexp.MustCompile(`(?i)\b(tls|ssl|ftps)\b|encrypt|secure (connection|control|session)`)
	notFTP      = regexp.MustCompile(`\bE?SMTP\b`)
)

// offersHost matches the list of FEAT with HOST: RFC 7151 section 3.
var offersHost = regexp.MustCompile(`\bHOST\b`)

// vote is what one reply to a question about a file says about it.
type vote uint8

const (
	proves      vote = iota // it is there
	saysGone                // in so many words
	saysDenied              // it may be there, not for us
	saysNo                  // a refusal without a reason
	saysNothing             // the reply is about something else
	saysEither              // missing or busy
	unsupported             // the question is not known
	later                   // not now
)

// linkItself recognizes MLST facts that are those of a symbolic link, not of what it
// leads to: RFC 3659 section 7.7.4, and Pure-FTPd's spelling of it.
var linkItself = regexp.MustCompile(`(?i)\btype=OS\.unix=s(ym)?link`)

func (r reply) vote() vote {
	switch {
	case r.code/100 == 2:
		return proves
	case r.code/100 == 4 && r.code != 430:
		switch { // bftpd and goftp refuse for good with codes that say "for the moment"
		case trouble.MatchString(r.text), denied.MatchString(r.text):
			return later
		case absent.MatchString(r.text):
			return saysGone
		case unavailable.MatchString(r.text):
			return saysEither
		}
		return later
	case r.code == 550 || r.code == 553 || r.code == 551:
		switch {
		case denied.MatchString(r.text):
			return saysDenied
		case absent.MatchString(r.text):
			return saysGone
		case nothing.MatchString(r.text):
			return saysNothing
		case trouble.MatchString(r.text): // of the server's: the file may be there
			return later
		}
		return saysNo
	case r.code == 530 || r.code == 532 || r.code == 430:
		return saysDenied
	}
	return unsupported
}

// result makes a result that carries the reply.
func (r reply) result(o check.Outcome) check.Result {
	return check.New(o, check.ReasonFTP(r.code), fmt.Sprintf("%d %s", r.code, r.text))
}

// gone is the result of a reply that says so in words. A code "for the moment"
// beside them makes it weak.
func (r reply) gone() check.Result {
	if r.code/100 == 4 {
		return r.result(check.Gone).WithEvidence(check.Weak)
	}
	return r.result(check.Gone)
}

// judgeLogin reads the greeting or the reply to USER or PASS that ended it.
func judgeLogin(r reply) check.Result {
	busy := full.MatchString(r.text)
	switch {
	case busy && r.code >= 400:
		full := r.result(check.Temporary)
		full.Reason = check.ReasonFull
		return full
	case r.code == 331, r.code == 332, r.code == 430, r.code == 530, r.code == 532, r.code == 550:
		return r.result(check.Auth)
	case r.code == 120, r.code/100 == 4:
		return r.result(check.Temporary)
	}
	return r.result(check.Undetermined)
}

// wantsTLS recognizes the refusals that AUTH TLS may lift: RFC 4217 sections 11, 12,
// and servers that use 530 or 550 for it.
func wantsTLS(r reply) bool {
	switch r.code {
	case 522, 534:
		return true
	case 421, 530, 550, 533, 536, 503:
		return tlsWord.MatchString(r.text)
	}
	return false
}

// judgeEntry reads the refusal of a CWD into a directory on the way.
func judgeEntry(r reply) check.Result {
	if r.code == 550 && isFile.MatchString(r.text) {
		return r.result(check.Gone)
	}
	switch r.vote() {
	case saysGone:
		return r.gone()
	case saysDenied:
		return r.result(check.Auth)
	case saysNo:
		return r.result(check.Gone).WithEvidence(check.Weak)
	case later, saysEither:
		return r.result(check.Temporary)
	}
	return r.result(check.Undetermined)
}
