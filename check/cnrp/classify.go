package cnrp

import (
	"errors"
	"fmt"
	"strings"

	"linkcheck/check"
	"linkcheck/uri"
)

// judge reads an HTTP answer to the query of u: first its body, since a service
// may use any status, then the status (PROTOCOLS 4.3).
func judge(u *uri.Go, status int, body []byte) check.Result {
	a, err := parse(body)
	reason := check.ReasonHTTP(status)
	line := fmt.Sprintf("HTTP status %d", status)
	switch {
	case err == nil:
		return a.judge(u)
	case status == 401 || status == 407:
		return check.New(check.Auth, reason, line)
	case status == 403 || status == 429 || status == 451:
		return check.New(check.Blocked, reason, line)
	case status == 408 || status >= 500 && status != 501 && status != 505:
		return check.New(check.Temporary, reason, line)
	case status != 200 || errors.Is(err, errForeign):
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
	}
	return check.New(check.Undetermined, check.ReasonGarbled, err.Error())
}

// judge follows OUTCOMES 1.3 and 1.4, "go".
func (a answer) judge(u *uri.Go) check.Result {
	kind := kindOf(u)
	switch {
	case kind == service && a.services > 0:
		return check.New(check.Reachable, check.ReasonCNRPService, a.statusText)
	case kind == name && len(a.items) > 0:
		return check.New(check.OK, check.ReasonCNRPFound, a.items[0].String())
	case kind == item && len(a.items) > 0:
		return a.judgeItems(*u.ID)
	case a.referrals > 0:
		return check.New(check.Reachable, check.ReasonCNRPReferral, a.statusText).WithFlags(check.FlagReferral)
	case a.code != "" && !strings.HasPrefix(a.code, "2."):
		return a.judgeCode()
	case kind == name:
		return check.New(check.Reachable, check.ReasonSearchNoHit, a.code+" "+a.statusText)
	case kind == item:
		return check.New(check.Gone, check.ReasonCNRPNoItem, a.code+" "+a.statusText)
	}
	return check.New(check.Reachable, check.ReasonCNRPService, a.code+" "+a.statusText)
}

// judgeItems looks for the item that was asked for. One that came alone and
// names no identifier is it.
func (a answer) judgeItems(id string) check.Result {
	for _, i := range a.items {
		if i.id == id || i.id == "" && len(a.items) == 1 {
			return check.New(check.OK, check.ReasonCNRPFound, i.String())
		}
	}
	return check.New(check.Suspect, check.ReasonCNRPOtherItem, a.items[0].String())
}

// judgeCode reads a status of class 3, 4 or 5 beside no result at all.
func (a answer) judgeCode() check.Result {
	outcome := check.Undetermined
	switch a.code {
	case "4.2.1", "4.2.2", "4.2.3": // busy, maintenance, internal error
		outcome = check.Temporary
	case "5.2.1": // service no longer available
		outcome = check.Gone
	}
	return check.New(outcome, codeReason(a.code), a.code+" "+a.statusText)
}

// codeReason makes "cnrp-421" of "4.2.1".
func codeReason(code string) check.Reason {
	digits := strings.ReplaceAll(code, ".", "")
	if digits == "" || len(digits) > 5 || strings.Trim(digits, "0123456789") != "" {
		return check.ReasonGarbled
	}
	return check.ReasonCNRP(digits)
}

func (f found) String() string { return strings.TrimSpace(f.name + " " + f.uri) }
