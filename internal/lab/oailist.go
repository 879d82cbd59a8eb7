package lab

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// oaiList is what a token holds.
type oaiList struct {
	Verb, Prefix, Set, From, Until string
	Cursor, Serial                 int
	Made                           time.Time
}

// list answers ListRecords and ListIdentifiers (sections 3.5, 4.3 and 4.5).
func (o *OAI) list(b *bytes.Buffer, q url.Values) *oaiError {
	l := oaiList{Verb: q.Get("verb"), Prefix: q.Get("metadataPrefix"), Set: q.Get("set"), From: q.Get("from"), Until: q.Get("until")}
	sent := q.Get("resumptionToken")
	if sent != "" {
		octets, err := base64.RawURLEncoding.DecodeString(sent)
		switch {
		case len(q) > 2:
			return &oaiError{"badArgument", "resumptionToken cannot be combined with other parameters"}
		case err != nil, json.Unmarshal(octets, &l) != nil, l.Verb != q.Get("verb"):
			return &oaiError{"badResumptionToken", "resumptionToken is not in the correct format"}
		case o.TokenLife > 0 && o.now().Sub(l.Made) > o.TokenLife:
			return &oaiError{"badResumptionToken", "resumptionToken has expired"}
		}
	}
	if err := o.check(&l); err != nil {
		return err
	}
	matches := o.matching(&l)
	if len(matches) == 0 || l.Cursor > len(matches) {
		return &oaiError{"noRecordsMatch", "no records found"}
	}
	fmt.Fprintf(b, "<%s>", l.Verb)
	rest := matches[l.Cursor:]
	page := rest[:min(len(rest), max(1, o.pageSize()))]
	for _, r := range page {
		o.write(b, r, l.Verb == "ListRecords", l.Prefix)
	}
	o.token(b, l, len(page), len(matches), sent)
	fmt.Fprintf(b, "</%s>", l.Verb)
	return nil
}

func (o *OAI) pageSize() int {
	if o.Page > 0 {
		return o.Page
	}
	return 100
}

// check looks at the arguments of a list.
func (o *OAI) check(l *oaiList) *oaiError {
	form := oaiSeconds
	if o.Days {
		form = time.DateOnly
	}
	for _, stamp := range []string{l.From, l.Until} {
		_, err := time.Parse(form, stamp)
		if _, day := time.Parse(time.DateOnly, stamp); stamp != "" && err != nil && day != nil {
			return &oaiError{"badArgument", "datestamps must have the granularity of Identify"}
		}
	}
	switch {
	case l.Prefix == "":
		return &oaiError{"badArgument", "metadataPrefix is missing"}
	case !slices.ContainsFunc(o.Formats, func(f [2]string) bool { return f[0] == l.Prefix }):
		return &oaiError{"cannotDisseminateFormat", "metadataPrefix " + l.Prefix + " is not supported"}
	case l.Set != "" && !slices.Contains(o.Sets, l.Set):
		return &oaiError{"badArgument", "set does not exist"}
	case l.From != "" && l.Until != "" && len(l.From) != len(l.Until):
		return &oaiError{"badArgument", "datestamps must have the same granularity"}
	case l.From != "" && l.Until != "" && l.From > l.Until:
		return &oaiError{"badArgument", "from is more recent than until"}
	}
	return nil
}

// matching are the records of a list.
func (o *OAI) matching(l *oaiList) (list []*CatalogueRecord) {
	for i := range o.Records {
		r := &o.Records[i]
		stamp := o.stamp(r.Date)
		_, has := r.Metadata[l.Prefix]
		switch {
		case !has && !r.Deleted, l.Set != "" && !slices.Contains(r.Sets, l.Set):
		case l.From != "" && stamp[:min(len(stamp), len(l.From))] < l.From, l.Until != "" && stamp[:min(len(stamp), len(l.Until))] > l.Until:
		default:
			list = append(list, r)
		}
	}
	return list
}

// token ends a page. Tokens of one place differ each time they are made.
func (o *OAI) token(b *bytes.Buffer, l oaiList, page, size int, sent string) {
	next := ""
	if l.Cursor += page; l.Cursor < size {
		o.made++
		l.Serial, l.Made = o.made, o.now()
		octets, _ := json.Marshal(l) // numbers and strings have a form
		next = base64.RawURLEncoding.EncodeToString(octets)
	}
	if o.Said != nil {
		size, next = o.Said(size, sent, next)
	}
	if next == "" && sent == "" {
		return
	}
	expires := ""
	if o.TokenLife > 0 && !o.Silent && next != "" {
		expires = fmt.Sprintf(` expirationDate="%s"`, o.now().Add(o.TokenLife).Format(oaiSeconds))
	}
	said := ""
	if size > 0 {
		said = fmt.Sprintf(` completeListSize="%d"`, size)
	}
	fmt.Fprintf(b, "<resumptionToken%s%s>%s</resumptionToken>", said, expires, next)
}

const oaiSeconds = "2006-01-02T15:04:05Z"

func (o *OAI) now() time.Time {
	if o.Now == nil {
		return time.Now().UTC()
	}
	return o.Now().UTC()
}

func (o *OAI) stamp(t time.Time) string {
	if o.Days {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Format(oaiSeconds)
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

func (o *OAI) write(b *bytes.Buffer, r *CatalogueRecord, whole bool, prefix string) {
	if whole {
		b.WriteString("<record>")
	}
	b.WriteString("<header")
	if r.Deleted {
		b.WriteString(` status="deleted"`)
	}
	fmt.Fprintf(b, "><identifier>%s</identifier><datestamp>%s</datestamp>", escaped(r.ID), o.stamp(r.Date))
	for _, s := range r.Sets {
		fmt.Fprintf(b, "<setSpec>%s</setSpec>", s)
	}
	b.WriteString("</header>")
	if !whole {
		return
	}
	if !r.Deleted {
		fmt.Fprintf(b, "<metadata>%s</metadata>", r.Metadata[prefix])
	}
	b.WriteString("</record>\n")
}
