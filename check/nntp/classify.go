package nntp

import (
	"errors"
	"regexp"

	"linkcheck/check"
)

// errEnded marks a session that the server ends.
var errEnded = errors.New("the session is over")

// refused matches the text of a 400 that turns this checker away; any other 400 is temporary.
var refused = regexp.MustCompile(`(?i)\baccess|permission|denied|not authori[sz]ed|not allowed|no permission`)

// judge reads the reply to a question: OUTCOMES 1.3, nntp.
func judge(r reply) check.Result {
	switch r.code {
	case 211, 220, 221, 223:
		return r.result(check.OK)
	case 411, 423, 430:
		return r.result(check.Gone)
	case 381, 480, 481, 482, 483:
		return r.result(check.Auth)
	case 502:
		return r.result(check.Blocked)
	case 400:
		if refused.MatchString(r.line) {
			return r.result(check.Blocked)
		}
		return r.result(check.Temporary)
	case 403, 503:
		return r.result(check.Temporary)
	}
	return r.result(check.Undetermined)
}

// judgeGreeting reads a greeting that is neither 200 nor 201.
func judgeGreeting(r reply) check.Result {
	if r.code < 400 {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, r.line)
	}
	return judge(r)
}

// foreign judges what came in the place of a greeting: line, which may lack its
// end, since a telnet host that waits for us sends none.
func foreign(line string, err error) check.Result {
	r := check.Classify(err)
	switch {
	case r.Reason == check.ReasonGarbled, line != "" && (line[0] < '0' || line[0] > '9') && r.Outcome == check.Temporary:
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
	case r.Reason == check.ReasonEOF && line == "":
		return check.New(check.Temporary, check.ReasonClosed, "")
	}
	return r
}

// result makes a result that carries the reply.
func (r reply) result(o check.Outcome) check.Result {
	return check.New(o, check.ReasonNNTP(r.code), r.line)
}
