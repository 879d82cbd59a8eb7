package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var fileScheme = Descriptor{
	Name: "file", Spec: "rfc1738bis section 2.8, RFC 8089", Text: SpelledFile,
	syntax: syntaxPath, relative: true, dots: dotsGone, unres: chars.Unreserved, parse: parseFile,
}

// File is a file URL. Host "" is this machine.
//
//	file://<host>/<path>   rfc1738bis section 2.8
//	file:<path>            RFC 8089 section 2
type File struct {
	base
	Host     string
	Segments []string
}

// Endpoint: file names a host but no service on it.
func (*File) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parseFile(p Parts) URI {
	u := &File{base: newBase(p)}
	if p.HasAuthority {
		u.host()
	}
	switch {
	case p.Path == "":
		u.fail(p.pathAt(), "file-path-missing")
	case p.Path[0] != '/':
		u.fail(p.pathAt(), "file-relative")
	case !p.HasAuthority:
		u.note(Ext, "8089-no-authority")
	}
	path := p.Path
	if len(path) > 2 && path[2] == '|' && chars.Is(path[1], chars.Alpha) && (len(path) == 3 || path[3] == '/') {
		path = path[3:]
	}
	u.text(path, p.pathAt()+len(p.Path)-len(path), chars.Pchar|chars.Slash|chars.Question, "file-path-char")
	if strings.IndexByte(path, '?') >= 0 {
		u.note(Lax, "file-raw-question")
	}
	u.Segments = strings.Split(strings.TrimPrefix(p.Path, "/"), "/")
	for i, s := range u.Segments {
		u.Segments[i] = chars.Decode(s)
		u.forbid("\x00", u.Segments[i], p.pathAt(), "file-path-nul")
	}
	return u
}

// host: the form has no user and no port; "localhost" and "" mean this machine.
func (u *File) host() {
	p := &u.p
	switch {
	case p.HasUser:
		u.fail(p.userAt(), "userinfo-not-allowed")
	case hasDrive(p.Host), len(p.Host) == 1 && p.Port == "" && p.HasPort:
		u.fail(p.hostAt(), "file-drive-in-host")
	case p.HasPort:
		u.fail(p.portAt()-1, "file-port-not-allowed")
	}
	if at, _ := u.authority(allowNoHost); at.Host != "localhost" {
		u.Host = at.Host
	}
}

// hasDrive reports a DOS drive, "C:" or the old "C|".
func hasDrive(s string) bool {
	return len(s) == 2 && chars.Is(s[0], chars.Alpha) && (s[1] == ':' || s[1] == '|')
}

// HasDrive reports a path that begins with a DOS drive, "C:" or the old "C|".
func (u *File) HasDrive() bool { return hasDrive(u.Segments[0]) }

func (*File) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *File) components() members { return members{"host": u.Host, "path": texts(u.Segments)} }
