package wais

import (
	"fmt"
	"slices"
	"strings"

	"linkcheck/check"
)

// judgeDatabase reads the answer to a search without words: the description of
// the database, or nothing at all where there is none (REAL-SERVERS A10).
func judgeDatabase(a answer) check.Result {
	switch {
	case a.empty:
		return understood()
	case len(a.headers) > 0:
		return check.New(check.OK, check.ReasonWAISDatabase, a.headers[0].headline)
	case len(a.diags) > 0:
		return diagnosed(a.diags[0])
	case !a.info: // real servers send it empty: this may be an answer cut short
		return check.New(check.Undetermined, check.ReasonWAISAnswer, "0 records")
	}
	return check.New(check.Gone, check.ReasonWAISNoDatabase, "0 records").WithEvidence(check.Weak)
}

// judgeWords reads the answer to a true search in a database that is there: a
// search that finds nothing is a link that works (OUTCOMES 1.4).
func judgeWords(a answer) check.Result {
	for _, h := range a.headers {
		if !h.catalogue() {
			return check.New(check.OK, check.ReasonWAISHit, h.headline)
		}
	}
	switch {
	case a.empty:
		return understood()
	case len(a.headers) > 0:
		return check.New(check.Reachable, check.ReasonSearchNoHit, a.headers[0].headline)
	case len(a.diags) > 0:
		r := diagnosed(a.diags[0])
		if r.Outcome == check.Undetermined { // the words are at fault, the database answers
			return check.New(check.Reachable, r.Reason, r.Reply)
		}
		return r
	}
	return check.New(check.Reachable, check.ReasonSearchNoHit, "0 records")
}

// judgeDocument reads the answer to a retrieval: a text group proves the
// document, and so does a range beyond its end (REAL-SERVERS A5).
func judgeDocument(a answer) check.Result {
	switch {
	case a.text:
		return check.New(check.OK, check.ReasonWAISDocument, "")
	case a.empty:
		return understood().WithFlags(check.FlagDocIDUnverified)
	case len(a.diags) > 0:
		return diagnosed(a.diags[0])
	}
	return check.New(check.Undetermined, check.ReasonWAISAnswer, "0 records")
}

// understood is the result of a refusal without words: the server speaks WAIS,
// and says nothing of what was asked (REAL-SERVERS A7).
func understood() check.Result {
	return check.New(check.Reachable, check.ReasonWAISAnswer, "request refused")
}

// diagnosed reads code and text: S1 and SF stand for very different things.
func diagnosed(d diagnostic) check.Result {
	reply := fmt.Sprintf("%s %s", d.code, d.text)
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(d.text), w) })
	}
	switch {
	case d.code == "T2", d.code == "SH":
		return check.New(check.Auth, check.ReasonWAISDenied, reply)
	case d.code == "S2":
		return check.New(check.Temporary, check.ReasonWAISDiagnostic, reply)
	case d.code == "SF" && says("missing docid"):
		return check.New(check.Gone, check.ReasonWAISNoDocument, reply)
	case d.code == "SF" && says("out of range"):
		return check.New(check.OK, check.ReasonWAISDocument, reply)
	case says("database") && says("not available", "not found", "does not exist", "unable to open"):
		return check.New(check.Gone, check.ReasonWAISNoDatabase, reply)
	}
	return check.New(check.Undetermined, check.ReasonWAISDiagnostic, reply)
}
