package codec

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Strings of results are mostly a few words that every server sends, digests and dates.
// They are packed without loss behind a number whose two low bits name the way.
const (
	packPlain = iota // length, then the octets
	packWord         // index in words
	packHex          // number of octets that the lower-case hex digits stand for
	packDate         // an HTTP date, as seconds
)

const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT" // RFC 9110 section 5.6.7

// words are stored by their index: append only.
var words = [...]string{
	"http-200", "HTTP/1.1 200 OK", "HTTP/2.0 200 OK", "http-404", "HTTP/1.1 404 Not Found", "HTTP/2.0 404 Not Found",
	"text/html", "text/html; charset=utf-8", "text/html; charset=UTF-8", "text/html; charset=iso-8859-1",
	"text/html; charset=ISO-8859-1", "text/html;charset=utf-8", "text/html;charset=UTF-8", "text/plain",
	"text/plain; charset=utf-8", "text/plain; charset=UTF-8", "application/pdf", "application/postscript",
	"http-301", "http-302", "http-303", "http-307", "http-308", "http-400", "http-401", "http-403", "http-405", "http-410",
	"http-429", "http-500", "http-502", "http-503", "HTTP/1.1 403 Forbidden", "HTTP/2.0 403 Forbidden", "HTTP/1.1 410 Gone",
	"HTTP/1.1 500 Internal Server Error", "HTTP/1.1 503 Service Unavailable", "HTTP/1.1 401 Unauthorized",
	"dns-nxdomain", "dns-servfail", "dns-timeout", "dns-no-address", "tcp-refused", "tcp-timeout", "tcp-reset", "timeout",
	"robots", "soft-404", "redirect-to-root", "redirect-sink", "parked", "names-only", "reserved-name", "mail-address",
	"ftp-550", "gopher-item", "gopher-menu", "nntp-430", "nntp-423", "telnet-answer", "z3950-hit", "no-news-server",
}

// wordIndex has the place of each word.
var wordIndex = func() map[string]uint64 {
	index := make(map[string]uint64, len(words))
	for i, s := range words {
		index[s] = uint64(i)
	}
	return index
}()

// packMin is the shortest string worth a look beyond its length.
const packMin = 6

// Packed writes a string in the shortest of the four ways.
func (w *Writer) Packed(s string) {
	if len(s) >= packMin {
		if i, ok := wordIndex[s]; ok {
			w.Uint(i<<2 | packWord)
			return
		}
		if isHex(s) {
			w.Uint(uint64(len(s)/2)<<2 | packHex)
			w.Buf, _ = hex.AppendDecode(w.Buf, []byte(s)) // it is hex
			return
		}
		if t, ok := undate(s); ok {
			w.Uint(packDate)
			w.Int(t.Unix())
			return
		}
	}
	w.Uint(uint64(len(s))<<2 + packPlain)
	w.Buf = append(w.Buf, s...)
}

// Packed reads what Writer.Packed wrote.
func (r *Reader) Packed() string {
	head := r.Uint()
	n := head >> 2
	switch head & 3 {
	case packWord:
		if n >= uint64(len(words)) {
			r.Fail()
			return ""
		}
		return words[n]
	case packDate:
		return time.Unix(r.Int(), 0).UTC().Format(httpDate)
	case packHex:
		return hex.EncodeToString(r.take(n))
	}
	return string(r.take(n))
}

// passPacked passes over what Writer.Packed wrote.
func (r *Reader) passPacked() {
	switch head := r.Uint(); head & 3 {
	case packWord:
		if head>>2 >= uint64(len(words)) {
			r.Fail()
		}
	case packDate:
		r.Int()
	default:
		r.take(head >> 2)
	}
}

// undate reads an HTTP date that is written in the one way. Most results have one: to parse it by
// its layout, and to write it again to compare, takes a third of the time to add them to the journal.
func undate(s string) (time.Time, bool) {
	if len(s) != len(httpDate) || s[3:5] != ", " || s[7] != ' ' || s[11] != ' ' || s[16] != ' ' || s[19] != ':' || s[22] != ':' || s[25:] != " GMT" {
		return time.Time{}, false
	}
	day, year, hour, minute, second := decimal(s[5:7]), decimal(s[12:16]), decimal(s[17:19]), decimal(s[20:22]), decimal(s[23:25])
	month := time.Month(strings.Index(months, s[8:11])/3 + 1)
	t := time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	return t, min(day, year, hour, minute, second) >= 0 && max(minute, second) < 60 && t.Day() == day && t.Month().String()[:3] == s[8:11] && t.Weekday().String()[:3] == s[:3]
}

// months are their names in HTTP dates, three letters each.
const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// decimal is the number that digits stand for; negative: they are none.
func decimal(digits string) int {
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}

// isHex says that a string is whole octets in lower-case hex digits.
func isHex(s string) bool { return len(s)%2 == 0 && strings.TrimLeft(s, "0123456789abcdef") == "" }
