package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var ftpScheme = Descriptor{
	Name: "ftp", DefaultPort: 21, Spec: "rfc1738bis section 2.2", Text: SpelledSlashes,
	syntax: syntaxPath, relative: true, dots: dotsPlain, unres: chars.Unreserved, parse: parseFTP,
}

// FTP is an ftp URL: Dirs are CWD arguments in order.
//
//	//<user>:<password>@<host>:<port>/<cwd1>/.../<cwdN>/<name>;type=<typecode>   rfc1738bis section 2.2
type FTP struct {
	base
	At   Endpoint
	User *User
	Dirs []string
	Name string
	Type byte // 'a', 'i', 'd', or 0 for none
}

// Endpoint implements [URI].
func (u *FTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseFTP(p Parts) (URI, *Error) {
	u := &FTP{base: newBase(p)}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser); err != nil {
		return nil, err
	}
	if err = u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "ftp-path-char"); err != nil {
		return nil, err
	}
	if strings.HasPrefix(p.Path, "?") {
		return nil, u.fail(p.pathAt(), "ftp-query-without-path")
	}
	path, code, has := cutTypecode(p.Path)
	if has {
		if err = u.typecode(p.Path[len(path):], code); err != nil {
			return nil, err
		}
	}
	if err = u.segments(path); err != nil {
		return nil, err
	}
	return u, u.fragment()
}

// cutTypecode splits ";type=" off the last segment.
func cutTypecode(path string) (rest, code string, has bool) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, ';')
	if i < 0 || len(name)-i < len(";type=") || !strings.EqualFold(name[i:i+6], ";type=") {
		return path, "", false
	}
	return path[:len(path)-len(name)+i], name[i+6:], true
}

// typecode: rfc1738bis section 2.2.2 has lower case only, RFC 1738 section 5 both.
func (u *FTP) typecode(param, code string) *Error {
	if len(code) != 1 || strings.IndexByte("aidAID", code[0]) < 0 {
		return u.fail(u.p.pathAt()+len(u.p.Path)-len(code), "ftp-typecode")
	}
	u.Type = chars.LowerByte(code[0])
	if param[:6] != ";type=" {
		u.note(Lax, "ftp-type-keyword-case")
	}
	if u.Type != code[0] {
		u.note(Ext, "1738-typecode-upper")
	}
	return nil
}

// segments decodes the CWD arguments and the name; CR, LF and NUL would reach
// the control connection.
func (u *FTP) segments(path string) *Error {
	if strings.IndexByte(path, '?') >= 0 {
		u.note(Lax, "ftp-raw-question")
	}
	if strings.IndexByte(path, ';') >= 0 {
		u.note(Lax, "ftp-raw-semicolon")
	}
	path = strings.TrimPrefix(path, "/")
	if n := strings.Count(path, "/"); n > 0 {
		u.Dirs = make([]string, 0, n)
	}
	for {
		seg, rest, more := strings.Cut(path, "/")
		d := chars.Decode(seg)
		if strings.ContainsAny(d, "\r\n") {
			return u.fail(u.p.pathAt(), "ftp-path-crlf")
		}
		if strings.IndexByte(d, 0) >= 0 {
			return u.fail(u.p.pathAt(), "ftp-path-nul")
		}
		if !more {
			u.Name = d
			break
		}
		u.Dirs = append(u.Dirs, d)
		path = rest
	}
	if ftpKeepsDots(u.p.Path) {
		u.note(Valid, "ftp-dots-kept")
	}
	return nil
}

// KeepsDots reports dot segments that stay, for they stand among CWD arguments that
// their removal would falsify: an empty one, or one that starts with an encoded slash.
func (u *FTP) KeepsDots() bool {
	path, _, _ := cutTypecode(u.p.Path)
	return ftpKeepsDots(path)
}

func ftpKeepsDots(path string) bool {
	if !hasDots(path) {
		return false
	}
	for rest, more := strings.TrimPrefix(path, "/"), true; more; {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		if strings.HasPrefix(seg, "%2F") || strings.HasPrefix(seg, "%2f") || more && seg == "" {
			return true
		}
	}
	return false
}

// writeKey: the whole url-path may be omitted; the typecode is folded.
func (*FTP) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" {
		w.mark(stepPathEmpty)
		w.add("/")
		return
	}
	path, code, has := cutTypecode(p.Path)
	w.add(path)
	if !has {
		return
	}
	if p.Path[len(path):] != ";type="+chars.Lower(code) {
		w.mark(stepFTPTypeCase)
	}
	w.add(";type=")
	w.add(chars.Lower(code))
}

func (u *FTP) components() members {
	m := members{"cwd": texts(u.Dirs), "name": text(u.Name), "type": nil}
	if u.Type != 0 {
		m["type"] = string(rune(u.Type))
	}
	return m.at(u.At).user(u.User)
}
