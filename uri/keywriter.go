package uri

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/uri/internal/chars"
)

// keyWriter writes a key and notes the steps that changed something.
type keyWriter struct {
	buf   []byte
	codes []string // of the steps, each once
	first [96]byte // where most keys find space
}

func newKeyWriter() *keyWriter {
	w := new(keyWriter)
	w.buf = w.first[:0]
	return w
}

func (w *keyWriter) add(parts ...string) {
	for _, s := range parts {
		w.buf = append(w.buf, s...)
	}
}

// mark notes a step.
func (w *keyWriter) mark(s Step) {
	if !slices.Contains(w.codes, s.Code) {
		w.codes = append(w.codes, s.Code)
	}
}

// key gives what was written, and begins another key; one equal to its input shares the string.
func (w *keyWriter) key(raw string) Key {
	k := Key{raw, w.codes}
	if string(w.buf) != raw {
		k.Text = string(w.buf)
	}
	w.buf, w.codes = w.buf[:0], nil
	return k
}

// addPath writes path and query as they are.
func (w *keyWriter) addPath(p *Parts) {
	w.add(p.Path)
	w.addQuery(p)
}

func (w *keyWriter) addQuery(p *Parts) {
	if p.HasQuery {
		w.add("?", p.Query)
	}
}

// canon writes s with its escapes in upper case and the needless ones resolved
// (RFC 3986 sections 6.2.2.1 and 6.2.2.2). With repair, characters that no URI
// may hold are escaped too; a stray '%' always is, lest it swallow what follows.
func (w *keyWriter) canon(s string, unres chars.Class, repair bool) {
	if !repair && strings.IndexByte(s, '%') < 0 {
		w.add(s)
		return
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && chars.IsEscape(s, i):
			o := chars.Unhex(s[i+1])<<4 | chars.Unhex(s[i+2])
			if chars.Is(o, unres) {
				w.mark(stepPctUnreserved)
				w.buf = append(w.buf, o)
			} else {
				if s[i+1] >= 'a' || s[i+2] >= 'a' {
					w.mark(stepPctCase)
				}
				w.buf = chars.AppendEscape(w.buf, o)
			}
			i += 2
		case c == '%' || repair && chars.Is(c, chars.Wild):
			w.mark(stepPctRepaired)
			w.buf = chars.AppendEscape(w.buf, c)
		default:
			w.buf = append(w.buf, c)
		}
	}
}

// recode shows every octet of s that show allows and hides raw characters that
// keep does not allow; either is the step.
func (w *keyWriter) recode(s string, show, keep chars.Class, st Step) {
	var changed bool
	if w.buf, changed = chars.AppendRecoded(w.buf, s, show, keep); changed {
		w.mark(st)
	}
}

// removeDots drops the dot segments of the path written since start, as far as the
// scheme allows; RFC 3986 section 5.2.4.
func (w *keyWriter) removeDots(d dots, start int) {
	if d == dotsKept || !bytes.Contains(w.buf[start:], []byte("/.")) {
		return
	}
	whole := string(w.buf[start:])
	path := whole
	if d == dotsPlain {
		path, _, _ = cutTypecode(whole)
	}
	if !hasDots(path) || d == dotsPlain && ftpKeepsDots(path) {
		return
	}
	w.mark(stepDotSegments)
	w.buf = appendWithoutDots(w.buf[:start], path)
	w.add(whole[len(path):])
}

// hasDots reports a complete "." or ".." segment.
func hasDots(path string) bool {
	if !strings.Contains(path, "/.") {
		return false
	}
	path += "/"
	return strings.Contains(path, "/./") || strings.Contains(path, "/../")
}

// appendWithoutDots appends an absolute path without its dot segments.
func appendWithoutDots(dst []byte, path string) []byte {
	dst = append(dst, '/')
	root := len(dst)
	for seg := range strings.SplitAfterSeq(strings.TrimPrefix(path, "/"), "/") {
		switch seg {
		case ".", "./":
		case "..", "../":
			above := dst[root:max(root, len(dst)-1)] // without the slash at the end
			dst = dst[:root+bytes.LastIndexByte(above, '/')+1]
		default:
			dst = append(dst, seg...)
		}
	}
	return dst
}

// Step is a change that normalization makes on the way to the keys of levels
// Syntax and Scheme, and the section of the document that allows it.
type Step struct{ Code, Section string }

// steps lists the steps in the order in which they are declared.
var steps []Step

// Steps lists the steps of levels Syntax and Scheme in their order.
func Steps() []Step { return slices.Clone(steps) }

// newStep declares a step.
func newStep(code, section string) Step {
	steps = append(steps, Step{code, section})
	return Step{code, section}
}

// The steps of level Syntax.
var (
	stepSchemeCase        = newStep("scheme-case", "RFC 3986 section 6.2.2.1")
	stepHostCase          = newStep("host-case", "RFC 3986 section 6.2.2.1")
	stepUserinfoRawColon  = newStep("userinfo-raw-colon", "rfc1738bis section 2.1")
	stepUserinfoRawAt     = newStep("userinfo-raw-at", "rfc1738bis section 2.1")
	stepPctRepaired       = newStep("pct-repaired", "RFC 3986 section 2.1")
	stepPctCase           = newStep("pct-case", "RFC 3986 section 6.2.2.1")
	stepPctUnreserved     = newStep("pct-unreserved", "RFC 3986 section 6.2.2.2")
	stepDotSegments       = newStep("dot-segments", "RFC 3986 section 6.2.2.3")
	stepInfoNamespaceCase = newStep("info-namespace-case", "draft-vandesompel-info-uri-01 section 6")
	stepGoTrailingSlash   = newStep("go-trailing-slash", "RFC 3368 section 3.2")
)

// The steps of level Scheme.
var (
	stepPortDefault          = newStep("port-default", "rfc1738bis section 2.1")
	stepPortEmpty            = newStep("port-empty", "RFC 3986 section 6.2.3")
	stepPortLeadingZero      = newStep("port-leading-zero", "rfc1738bis section 2.1")
	stepPathEmpty            = newStep("path-empty", "RFC 3986 section 6.2.3")
	stepTelnetSlash          = newStep("telnet-slash", "rfc1738bis section 2.6")
	stepFileLocalhost        = newStep("file-localhost", "rfc1738bis section 2.8")
	stepFileNoAuthority      = newStep("file-no-authority", "RFC 8089 section 2")
	stepFTPTypeCase          = newStep("ftp-type-case", "RFC 1738 section 5")
	stepGopherDefaultType    = newStep("gopher-default-type", "rfc1738bis section 2.3.1")
	stepGopherNoReserved     = newStep("gopher-no-reserved", "rfc1738bis section 2.3.1")
	stepNewsAngleBrackets    = newStep("news-angle-brackets", "rfc1738bis section 2.4")
	stepNewsNoReserved       = newStep("news-no-reserved", "rfc1738bis section 2.4")
	stepProsperoOpaqueSlash  = newStep("prospero-opaque-slash", "rfc1738bis section 2.9")
	stepWAISTrailingSlash    = newStep("wais-trailing-slash", "rfc1738bis section 2.7")
	stepZ3950KeywordCase     = newStep("z3950-keyword-case", "RFC 2056 section 5")
	stepZ3950UnreservedPlus  = newStep("z3950-unreserved-plus", "RFC 2056 section 5")
	stepZ3950ReservedEscaped = newStep("z3950-reserved-escaped", "RFC 2056 section 5")
	stepZ3950ParamOrder      = newStep("z3950-param-order", "RFC 2056 section 5")
	stepGoEmptyServer        = newStep("go-empty-server", "RFC 3368 section 3.3.2")
	stepDictOmitted          = newStep("dict-omitted", "RFC 2229 section 5")
	stepARKEnd               = newStep("ark-end", "draft-kunze-ark section 2.7")
	stepARKHyphen            = newStep("ark-hyphen", "draft-kunze-ark section 2.7")
	stepARKSlash             = newStep("ark-slash", "draft-kunze-ark section 2.7")
	stepURNNamespaceCase     = newStep("urn-namespace-case", "RFC 8141 section 3.1")
)
