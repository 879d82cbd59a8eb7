package gopher

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"linkcheck/check"
)

const (
	headLimit = 4 << 10  // of a document: enough to tell it from an error
	menuLimit = 64 << 10 // of a menu: all its lines are judged
	shortText = 256      // an error text is shorter than this
)

// question is what was asked, as far as the answer depends on it.
type question struct {
	item     byte   // the type of the URL
	selector string // whose attributes were asked for; of a "$", those of a menu's items, it says nothing
	plus     bool   // a Gopher+ header may come
	words    bool   // search words were sent
}

// names reports whether attributes are those of the item that was asked for: servers
// without attributes answer every selector with those of one item of their own. The
// selector may come back without its type or the slashes around it.
func (q question) names(attributes []byte) bool {
	line, _, _ := bytes.Cut(attributes, []byte("\n"))
	_, text, _ := strings.Cut(string(line), ": ")
	i, ok := parseItem(strings.TrimRight(text, "\r"))
	switch {
	case !ok:
		return true
	case i.Display == "gopher+" && i.Selector == "": // geomyidae's
		return false
	}
	return q.selector == "" || bare(i.Selector) == bare(q.selector)
}

// bare is a selector without a type before its first slash, and without the slashes
// around it.
func bare(selector string) string {
	if len(selector) > 1 && selector[1] == '/' {
		selector = selector[1:]
	}
	return strings.Trim(selector, "/")
}

func (q question) menu() bool { return q.item == '1' || q.item == '7' }

func (q question) limit() int {
	if q.menu() || q.plus {
		return menuLimit
	}
	return headLimit
}

// enough reports that nothing after soFar can change the judgement: the "." line
// that ends menus and texts has come. The end of the stream ends others.
func (q question) enough(soFar []byte) bool {
	return bytes.HasSuffix(soFar, []byte("\n.\r\n")) || string(soFar) == ".\r\n"
}

// judge reads an answer, which err may have cut short. understood says whether
// it came with a Gopher+ header.
func (q question) judge(body []byte, err error) (r check.Result, understood bool) {
	ok, rest, found := parseHeader(body)
	switch {
	case found && !ok:
		return judgeRefusal(rest), true
	case found && q.plus && bytes.HasPrefix(rest, []byte("+INFO")) && !q.names(rest):
		return result(check.Suspect, check.ReasonGopherNotPlus, check.None, rest), false
	case found && q.plus && bytes.HasPrefix(rest, []byte("+INFO")):
		return exists(rest), true
	case found && q.plus:
		return q.judgeBody(rest), true
	case len(body) == 0 && err != nil:
		return check.Classify(err), false
	}
	r = q.judgeBody(body)
	if err != nil && !errors.Is(err, io.EOF) && !q.conclusive(body, r) {
		r = check.Classify(err) // cut off before anything conclusive
	}
	return r, false
}

// conclusive reports whether the beginning of an answer proves what r says.
func (q question) conclusive(body []byte, r check.Result) bool {
	switch {
	case r.Outcome == check.Undetermined:
		return true
	case q.menu():
		return r.Outcome == check.OK && len(menu(body[:bytes.LastIndexByte(body, '\n')+1])) > 0
	default:
		return r.Outcome == check.OK && len(body) > shortText
	}
}

func (q question) judgeBody(body []byte) check.Result {
	text := bytes.TrimSpace(body)
	switch {
	case foreign(q.item, text):
		return result(check.Undetermined, check.ReasonProtocolMismatch, check.None, text)
	case q.item == '7' && !q.words:
		return judgeSearchEntry(body)
	case len(body) == 0:
		return check.New(check.Suspect, check.ReasonEmpty, "")
	case string(text) == ".":
		if q.words {
			return result(check.Reachable, check.ReasonSearchNoHit, check.Strong, text)
		}
		return result(check.Suspect, check.ReasonEmpty, check.Weak, text)
	}
	if r, is := judgeErrorLines(body, q.words); is {
		return r
	}
	if r, is := judgeErrorText(text); is {
		return r
	}
	if q.menu() {
		return q.judgeMenu(body)
	}
	return exists(body)
}

// judgeMenu follows the first row of the table: one line that is no error.
func (q question) judgeMenu(body []byte) check.Result {
	info, text := 0, []string{}
	for _, l := range lines(body) {
		i, ok := parseItem(l)
		switch {
		case ok && i.isInfo():
			info++
			text = append(text, i.Display)
		case ok && !i.isError():
			return result(check.OK, check.ReasonGopherMenu, check.Strong, []byte(l))
		}
	}
	all := strings.Join(text, " ")
	switch {
	case info == 0:
		return result(check.Undetermined, check.ReasonGopherNotAMenu, check.None, body)
	case q.words:
		return result(check.Reachable, check.ReasonSearchNoHit, check.Strong, []byte(all))
	case len(all) < shortText && saysNo([]byte(all)):
		return result(check.Suspect, check.ReasonErrorText, check.Weak, []byte(all))
	}
	return result(check.OK, check.ReasonGopherMenu, check.Strong, []byte(all))
}

// judgeSearchEntry reads what a search item says without words: the engine
// answers, so it is reachable, unless the server says that there is none.
func judgeSearchEntry(body []byte) check.Result {
	if r, is := judgeErrorLines(body, false); is && r.Outcome == check.Gone {
		r.Evidence = check.Weak
		return r
	}
	return result(check.Reachable, check.ReasonGopherService, check.Strong, body)
}

// judgeErrorLines reads an answer whose every line but information is an error.
func judgeErrorLines(body []byte, words bool) (check.Result, bool) {
	var texts []string
	evidence := check.Weak
	for _, l := range lines(body) {
		i, ok := parseItem(l)
		switch {
		case ok && i.isInfo():
			continue
		case !ok && strings.HasPrefix(l, "3") && strings.Contains(l, "\t"):
			i = item{Type: '3', Display: l[1:]} // PROTOCOLS 5.4: one TAB is enough
		case !ok || !i.isError():
			return check.Result{}, false
		}
		text, _, _ := strings.Cut(i.Display, "\t")
		texts = append(texts, text)
		if i.Type == '3' {
			evidence = check.Strong
		}
	}
	if !bytes.HasSuffix(body, []byte("\n")) {
		evidence = check.Weak // cut in a line: items may have followed
	}
	text := []byte(strings.Join(texts, " "))
	switch said := withoutNames(text); {
	case len(bytes.TrimSpace(text)) == 0:
		return check.Result{}, false
	case words && noHit.Match(text):
		return result(check.Reachable, check.ReasonSearchNoHit, check.Strong, text), true
	case later.Match(said):
		return result(check.Temporary, check.ReasonGopherBusy, check.Weak, text), true
	case denied.Match(said):
		return result(check.Blocked, check.ReasonAccessList, check.Weak, text), true
	case absent.Match(said):
		return result(check.Gone, check.ReasonGopherErrorItem, evidence, text), true
	default: // an error, of the item or of the server
		return result(check.Suspect, check.ReasonGopherErrorOther, check.Weak, text), true
	}
}

// judgeErrorText recognizes servers that refuse in plain text.
func judgeErrorText(text []byte) (check.Result, bool) {
	switch {
	case len(text) >= shortText:
	case bytes.HasPrefix(text, []byte("Error: File or directory not found!")): // Gophernicus
		return result(check.Gone, check.ReasonGopherErrorText, check.Weak, text), true
	case bytes.HasPrefix(text, []byte("Error: Access denied!")): // Gophernicus
		return result(check.Blocked, check.ReasonAccessList, check.Weak, text), true
	case bytes.Count(text, []byte("\n")) < 3 && saysNo(shown(text)):
		return result(check.Suspect, check.ReasonErrorText, check.Weak, text), true
	}
	return check.Result{}, false
}

func exists(body []byte) check.Result {
	first, _, _ := bytes.Cut(body, []byte("\n"))
	return result(check.OK, check.ReasonGopherItem, check.Strong, first)
}

func result(o check.Outcome, r check.Reason, e check.Evidence, text []byte) check.Result {
	return check.New(o, r, string(text)).WithEvidence(e)
}

// judgeRefusal reads the body of a "-" answer, "code administrator" and a text:
// 1 not available, 2 try later, 3 moved with a descriptor of the new place.
func judgeRefusal(rest []byte) check.Result {
	code, text, _ := strings.Cut(string(rest), "\n")
	text = strings.TrimSuffix(text, "\n.\r\n")
	switch {
	case strings.HasPrefix(code, "1") && strings.Contains(text, "Malformed command"):
		// Our request is meant, not the item (REAL-SERVERS D 2).
		return check.New(check.Undetermined, check.ReasonGopherErrorOther, text)
	case strings.HasPrefix(code, "1") && later.Match(withoutNames([]byte(text))):
		return check.New(check.Temporary, check.ReasonGopherBusy, text)
	case strings.HasPrefix(code, "1"):
		return check.New(check.Gone, check.ReasonGopherError1, text)
	case strings.HasPrefix(code, "2"):
		return check.New(check.Temporary, check.ReasonGopherError2, text)
	case strings.HasPrefix(code, "3"):
		r := check.New(check.Moved, check.ReasonGopherError3, text)
		if items := menu([]byte(text)); len(items) > 0 {
			r.SuggestedURL = items[0].url()
		}
		return r
	}
	return check.New(check.Undetermined, check.ReasonGopherErrorOther, string(rest))
}
