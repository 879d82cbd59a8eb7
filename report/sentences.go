package report

import (
	"linkcheck/check"
	"linkcheck/store"
	"linkcheck/uri"
)

// Sentences are those of a report in one language, for who shows single answers.
type Sentences struct{ words *words }

// NewSentences reads the catalogue of a language tag; "" is English. It is an error
// if there are no words in the language.
func NewSentences(lang string) (*Sentences, error) {
	w, err := newWords(lang)
	if err != nil {
		return nil, err
	}
	return &Sentences{w}, nil
}

// What says what happened when a link was asked about, in the words of a report.
func (s *Sentences) What(link string, res *check.Result) string {
	r := Row{Entry: store.Entry{Link: store.Link{URL: link, Last: *res}}}
	if u, err := uri.Parse(link); err == nil {
		at, _ := u.Endpoint()
		r.Scheme, r.Host = u.Scheme(), at.Host
	} else if e, ok := err.(*uri.Error); ok {
		r.Scheme = e.Scheme
	}
	return s.words.message(&r)
}
