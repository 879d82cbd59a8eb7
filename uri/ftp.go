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

func parseFTP(p Parts) URI {
	u := &FTP{base: newBase(p)}
	u.At, u.User = u.authority(allowUser)
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "ftp-path-char")
	if strings.HasPrefix(p.Path, "?") {
		u.fail(p.pathAt(), "ftp-query-without-path")
	}
	path, code, has := cutTypecode(p.Path)
	if has {
		u.typecode(p.Path[len(path):], code)
	}
	u.segments(path)
	return u
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
func (u *FTP) typecode(param, code string) {
	if len(code) != 1 || strings.IndexByte("aidAID", code[0]) < 0 {
		u.fail(u.p.pathAt()+len(u.p.Path)-len(code), "ftp-typecode")
		return
	}
	u.Type = chars.LowerByte(code[0])
	if param[:6] != ";type=" {
		u.note(Lax, "ftp-type-keyword-case")
	}
	if u.Type != code[0] {
		u.note(Ext, "1738-typecode-upper")
	}
}

// segments decodes the CWD arguments and the name; CR, LF and NUL would reach
// the control connection.
func (u *FTP) segments(path string) {
	if strings.IndexByte(path, '?') >= 0 {
		u.note(Lax, "ftp-raw-question")
	}
	if strings.IndexByte(path, ';') >= 0 {
		u.note(Lax, "ftp-raw-semicolon")
	}
	path = strings.TrimPrefix(path, "/")
	name := strings.LastIndexByte(path, '/') + 1
	if name > 0 {
		u.Dirs = strings.Split(path[:name-1], "/")
	}
	for i, dir := range u.Dirs {
		u.Dirs[i] = u.argument(dir)
	}
	u.Name = u.argument(path[name:])
	if ftpKeepsDots(u.p.Path) {
		u.note(Valid, "ftp-dots-kept")
	}
}

// argument decodes an argument of a command; only an escape can hide what is forbidden.
func (u *FTP) argument(s string) string {
	arg := chars.Decode(s)
	if len(arg) != len(s) {
		u.forbid("\r\n", arg, u.p.pathAt(), "ftp-path-crlf")
		u.forbid("\x00", arg, u.p.pathAt(), "ftp-path-nul")
	}
	return arg
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
	w.add(";type=", chars.Lower(code))
}

func (u *FTP) components() members {
	m := members{"cwd": texts(u.Dirs), "name": text(u.Name), "type": nil}
	if u.p.Path == "" { // rfc1738bis section 2.2.2: an omitted url-path has no name, that of "/" is empty
		m["name"] = nil
	}
	if u.Type != 0 {
		m["type"] = string(rune(u.Type))
	}
	return m.user(u.User)
}
