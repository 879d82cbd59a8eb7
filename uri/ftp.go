package uri

import "strings"

var ftpScheme = Descriptor{
	Name: "ftp", DefaultPort: 21, Spec: "rfc1738bis section 2.2", Text: SpelledSlashes,
	syntax: syntaxPath, relative: true, dots: dotsPlain, unres: cUnres, parse: parseFTP,
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

func (u *FTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseFTP(sp Parts) (URI, *Error) {
	u := &FTP{base: newBase(sp)}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser); err != nil {
		return nil, err
	}
	if err = u.text(sp.Path, sp.pathAt(), cPchar|cSlash|cQuest, "ftp-path-char"); err != nil {
		return nil, err
	}
	if strings.HasPrefix(sp.Path, "?") {
		return nil, u.fail(sp.pathAt(), "ftp-query-without-path")
	}
	path, code, has := cutTypecode(sp.Path)
	if has {
		if err = u.typecode(sp.Path[len(path):], code); err != nil {
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
	if i < 0 || len(name)-i < len(";type=") || !foldEqual(name[i:i+6], ";type=") {
		return path, "", false
	}
	return path[:len(path)-len(name)+i], name[i+6:], true
}

// typecode: rfc1738bis section 2.2.2 has lower case only, RFC 1738 section 5 both.
func (u *FTP) typecode(param, code string) *Error {
	if len(code) != 1 || strings.IndexByte("aidAID", code[0]) < 0 {
		return u.fail(u.sp.pathAt()+len(u.sp.Path)-len(code), "ftp-typecode")
	}
	u.Type = lowerByte(code[0])
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
		d := decode(seg)
		if strings.ContainsAny(d, "\r\n") {
			return u.fail(u.sp.pathAt(), "ftp-path-crlf")
		}
		if strings.IndexByte(d, 0) >= 0 {
			return u.fail(u.sp.pathAt(), "ftp-path-nul")
		}
		if !more {
			u.Name = d
			break
		}
		u.Dirs = append(u.Dirs, d)
		path = rest
	}
	if u.sp.dotsKeptFTP() {
		u.note(Valid, "ftp-dots-kept")
	}
	return nil
}

// ftpDotsStay reports a path whose segments are CWD arguments that dot removal
// would falsify: an empty one, or one that starts with an encoded slash.
func ftpDotsStay(path string) bool {
	path = strings.TrimPrefix(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return strings.HasPrefix(path, "%2F") || strings.HasPrefix(path, "%2f")
	}
	for rest, more := path, true; more; {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		if strings.HasPrefix(seg, "%2F") || strings.HasPrefix(seg, "%2f") || more && seg == "" {
			return true
		}
	}
	return false
}

// dotsKeptFTP reports dot segments that stay.
func (sp *Parts) dotsKeptFTP() bool {
	return strings.IndexByte(sp.Path, '.') >= 0 && ftpDotsStay(sp.Path) && hasDots(sp.Path)
}

// writeKey: the whole url-path may be omitted; the typecode is folded.
func (*FTP) writeKey(p *keyWriter, sp *Parts) {
	if sp.Path == "" {
		p.mark("path-empty")
		p.add("/")
		return
	}
	path, code, has := cutTypecode(sp.Path)
	p.add(path)
	if !has {
		return
	}
	if sp.Path[len(path):] != ";type="+lower(code) {
		p.mark("ftp-type-case")
	}
	p.add(";type=")
	p.add(lower(code))
}
