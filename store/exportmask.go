package store

import (
	"bytes"
	"encoding/json"
	"strings"

	"linkcheck/uri/secret"
)

// A masked export holds no secret (package secret): what hides one is changed as it is for
// a report, so that an import of it gives a store in which those links are no longer what
// they were. Rows of which only programs make sense are left out where they hold one: the
// next run learns again what is in them.

// maskLink makes the link anew of its masked address.
func maskLink(l *linkLine) bool {
	p, err := l.parts()
	if err != nil {
		return false
	}
	if url, key := secret.Mask(p.url), secret.Mask(p.key); url != p.url || key != p.key {
		keys, host := keysOf(url), l.Host
		keys.target, keys.via = l.Target, l.Via
		if l.linkRow = newLinkRow(&keys, url, l.FirstSeen); l.Target != "" {
			l.Host = host
		}
	}
	l.Target, l.Via = secret.Mask(l.Target), secret.Mask(l.Via)
	return true
}

func maskMention(l *mentionLine) bool {
	for _, s := range []*string{l.Raw, l.URL} {
		if s != nil {
			*s = secret.Mask(*s)
		}
	}
	if l.Raw != nil && l.URL != nil && *l.URL != *l.Raw && strings.Contains(*l.URL, "***") {
		*l.Raw = *l.URL
	}
	for _, s := range []*string{&l.Collection, &l.Member, &l.Record, &l.Locator, &l.Context, &l.Title} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskSource(l *sourceLine) bool {
	for _, s := range []*string{&l.Path, &l.Name, &l.Collection, &l.Root, &l.Options, &l.Damage} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskEvent(l *eventLine) bool {
	r := &l.Result
	for _, s := range []*string{&r.FinalURL, &r.SuggestedURL} {
		*s = secret.Mask(*s)
	}
	for i := range r.Hops {
		r.Hops[i].URL = secret.Mask(r.Hops[i].URL)
	}
	for _, s := range []*string{&r.Reply, &r.ContentType, &r.Title, &r.ETag, &r.LastModified} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskState(l *stateLine) bool {
	l.Text.Title = secret.MaskText(l.Text.Title)
	return true
}

func maskPlain(l *plainLine) bool   { return harmless(l.Value) }
func maskCached(l *cachedLine) bool { return harmless([]byte(l.Key)) && harmless(l.Value) }

func harmless(b []byte) bool { return secret.MaskText(string(b)) == string(b) }

// maskJSON masks the strings in a row that is stored as JSON.
func maskJSON(l *jsonLine) bool {
	in := json.NewDecoder(bytes.NewReader(l.Value))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil {
		return false
	}
	masked, changed := maskStrings(v)
	if !changed {
		return true
	}
	value, err := json.Marshal(masked)
	l.Value = value
	return err == nil
}

func maskStrings(v any) (masked any, changed bool) {
	switch v := v.(type) {
	case string:
		s := secret.MaskText(v)
		return s, s != v
	case []any:
		for i := range v {
			m, c := maskStrings(v[i])
			v[i], changed = m, changed || c
		}
	case map[string]any:
		for name := range v {
			m, c := maskStrings(v[name])
			v[name], changed = m, changed || c
		}
	}
	return v, changed
}
