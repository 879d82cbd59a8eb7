package report

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"linkcheck/check"
	"linkcheck/judge"
)

//go:embed words/*.txt
var wordFiles embed.FS

// Languages lists the languages that reports speak.
func Languages() []string { return []string{"en", "de"} }

// words is one language's catalogue.
type words struct {
	lang string
	text map[string]string
	seen sync.Map // query -> answer of find: a store has many links and few reasons
}

// query is what find was asked for.
type query struct{ prefix, code string }

// newWords reads the catalogue of a language tag; "de_AT.UTF-8" is German.
func newWords(tag string) (*words, error) {
	lang := "en"
	if tag != "" {
		lang, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	}
	data, err := wordFiles.ReadFile("words/" + lang + ".txt")
	if err != nil {
		return nil, fmt.Errorf("report: no words in language %q: want one of %s", tag, strings.Join(Languages(), " "))
	}
	w := &words{lang: lang, text: map[string]string{}}
	for line := range strings.Lines(string(data)) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && line[0] != '#' {
			w.text[key] = text
		}
	}
	return w, nil
}

// get fills a text: args are name, value, name, value ... A key without words
// shows itself, so nothing is ever silently empty.
func (w *words) get(key string, args ...string) string {
	text, ok := w.text[key]
	if !ok {
		return key
	}
	return fill(text, args...)
}

func fill(text string, args ...string) string {
	if len(args) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			return b.String()
		}
		for i := 0; i+1 < len(args); i += 2 {
			if args[i] == name {
				b.WriteString(args[i+1])
			}
		}
		text = after
	}
}

// count gives "1 link" or "12,408 links", and fills in what else there is.
func (w *words) count(key string, n int, args ...string) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return w.get(key+form, append(args, "n", w.number(n))...)
}

// number groups the digits of n.
func (w *words) number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.text["thousands"] + s[i:]
	}
	return s
}

// day gives a date in words, in UTC.
func (w *words) day(t time.Time) string { return w.date(t, "date") }

func (w *words) date(t time.Time, form string) string {
	if t.IsZero() {
		return w.get("never")
	}
	s := t.UTC().Format(w.text[form])
	if months, ok := w.text["months"]; ok {
		long := t.UTC().Month().String()
		word := strings.Fields(months)[t.UTC().Month()-1]
		if strings.Contains(s, long) {
			return strings.Replace(s, long, word, 1)
		}
		return strings.Replace(s, long[:3], string([]rune(word)[:3]), 1)
	}
	return s
}

// find gives the key for a code under a prefix: the code itself, or the longest
// beginning of it that ends in *.
func (w *words) find(prefix, code string) (string, bool) {
	q := query{prefix, code}
	if key, ok := w.seen.Load(q); ok {
		return key.(string), key != ""
	}
	key, ok := w.search(prefix, code)
	w.seen.Store(query{strings.Clone(prefix), strings.Clone(code)}, key)
	return key, ok
}

func (w *words) search(prefix, code string) (string, bool) {
	if _, ok := w.text[prefix+code]; ok {
		return prefix + code, true
	}
	for i := len(code); i > 0; i-- {
		if _, ok := w.text[prefix+code[:i]+"*"]; ok {
			return prefix + code[:i] + "*", true
		}
	}
	return "", false
}

// whatKey gives the key of the sentence for a result. A good or merely reachable
// object needs no reason: only what went wrong does.
func (w *words) whatKey(res *check.Result) string {
	outcome := outcomeKeys[res.Outcome]
	if res.Reason == "in-archive" { // not there, but here
		return "what.in-archive"
	}
	switch res.Outcome {
	case check.Unknown, check.OK, check.Moved:
		return outcome
	}
	if res.Outcome == check.Auth { // the one outcome that may not share its reason's sentence
		if key := "what." + string(res.Reason) + ".auth"; w.text[key] != "" {
			return key
		}
	}
	if key, ok := w.find("what.", string(res.Reason)); ok {
		return key
	}
	return outcome
}

// stepKey gives the key of the advice for a row.
func (w *words) stepKey(r *Row) string {
	state := stepKeys[r.State]
	switch {
	case r.Archived != "" && r.State == judge.Dead:
		return "step.dead.archived"
	case r.State == judge.Invalid && r.Suggested != "":
		return "step.invalid.repair"
	case r.State == judge.Moved && r.Suggested == "":
		return "step.moved.keep"
	case r.State == judge.Failing && r.Needed > 0 && r.Strikes >= r.Needed:
		return "step.failing.span"
	case r.State == judge.Failing && r.Needed > 0:
		return "step.failing.of"
	}
	if r.Last.Reason == "" || r.State == judge.Alive || r.State == judge.Moved || r.State == judge.Invalid {
		return state
	}
	if key, ok := w.find(stepPrefixes[r.State], string(r.Last.Reason)); ok {
		return key
	}
	return state
}

// The keys of outcomes and states, made once.
var (
	outcomeKeys            = keysOf(int(check.Internal)+1, func(i int) string { return "what.outcome." + check.Outcome(i).String() })
	stepKeys, stepPrefixes = keysOf(stateCount, func(i int) string { return "step." + judge.State(i).String() }),
		keysOf(stateCount, func(i int) string { return "step." + judge.State(i).String() + "." })
)

func keysOf(n int, key func(int) string) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = key(i)
	}
	return keys
}

// message tells what happened to a link.
func (w *words) message(r *Row) string {
	text := w.text[w.whatKey(&r.Last)]
	if !strings.Contains(text, "{") {
		return text
	}
	return fill(text, "host", r.hostWord(), "scheme", r.Scheme, "code", codeOf(r.Last.Reason), "new", r.newWord())
}

// step tells what to do about a link.
func (w *words) step(r *Row) string {
	text := w.text[w.stepKey(r)]
	if !strings.Contains(text, "{") {
		return text
	}
	next := w.get("unknown-day")
	if !r.NextCheck.IsZero() {
		next = w.day(r.NextCheck)
	}
	by := ""
	if r.Pin != nil {
		by = oneLine(r.Pin.By)
	}
	return fill(text, "new", r.newWord(), "copy", r.Archived, "strikes", w.count("strike", r.Strikes), "n", w.number(r.Strikes), "needed", w.number(r.Needed), "next", next, "by", by)
}

func (r *Row) newWord() string {
	if r.Suggested != "" {
		return r.Suggested
	}
	return r.Last.FinalURL
}

func (r *Row) hostWord() string {
	if r.Host != "" {
		return r.Host
	}
	return r.Scheme
}

// codeOf gives the number in a reason: 404 of http-404.
func codeOf(reason check.Reason) string {
	_, code, _ := strings.Cut(string(reason), "-")
	if code == "" || !unicode.IsDigit(rune(code[0])) {
		return string(reason)
	}
	return code
}
