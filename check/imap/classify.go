package imap

import (
	"strings"

	"linkcheck/check"
)

// missing are texts that say that there is no such mailbox, of servers that give no code:
// Dovecot and Cyrus.
var missing = []string{"doesn't exist", "does not exist"}

// judge reads the end of a command that did not go well, RFC 3501 section 7.1 and the codes of
// RFC 5530 section 3; opening says that it was to open a mailbox.
func (r *response) judge(opening bool) check.Result {
	words := strings.TrimSpace(r.words())
	code, _, _ := strings.Cut(r.code, " ")
	switch {
	case r.word == "BYE":
		return check.New(check.Temporary, check.ReasonIMAPBye, words)
	case r.word == "BAD":
		return check.New(check.Undetermined, check.ReasonIMAPBad, words)
	}
	switch code {
	case "UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CORRUPTION", "THROTTLED", "OVERQUOTA":
		return check.New(check.Temporary, check.ReasonIMAPNo, words)
	case "NOPERM", "AUTHORIZATIONFAILED", "PRIVACYREQUIRED", "EXPIRED":
		return check.New(check.Auth, check.ReasonIMAPNo, words)
	case "NONEXISTENT":
		return check.New(check.Gone, check.ReasonIMAPMissing, words)
	}
	for _, text := range missing {
		if opening && strings.Contains(strings.ToLower(r.text), text) {
			return check.New(check.Gone, check.ReasonIMAPMissing, words)
		}
	}
	return check.New(check.Undetermined, check.ReasonIMAPNo, words)
}

// judgeLogin reads the end of a login that did not go well.
func (r *response) judgeLogin() check.Result {
	res := r.judge(false)
	if r.word == "NO" && res.Outcome != check.Temporary {
		res = check.New(check.Auth, check.ReasonIMAPLogin, r.words())
	}
	return res
}

// words are what the server says, with its code.
func (r *response) words() string {
	if r.code == "" {
		return r.text
	}
	return "[" + r.code + "] " + r.text
}
