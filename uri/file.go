package uri

import "strings"

var fileScheme = Descriptor{
	Name: "file", Spec: "rfc1738bis section 2.8, RFC 8089", Text: SpelledFile,
	syntax: syntaxPath, relative: true, dots: dotsGone, unres: cUnres, parse: parseFile,
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

func parseFile(sp Parts) (URI, *Error) {
	u := &File{base: newBase(sp)}
	if sp.HasAuthority {
		if err := u.host(); err != nil {
			return nil, err
		}
	}
	switch {
	case sp.Path == "":
		return nil, u.fail(sp.pathAt(), "file-path-missing")
	case sp.Path[0] != '/':
		return nil, u.fail(sp.pathAt(), "file-relative")
	case !sp.HasAuthority:
		u.note(Ext, "8089-no-authority")
	}
	path := sp.Path
	if len(path) > 2 && path[2] == '|' && is(path[1], cAlpha) && (len(path) == 3 || path[3] == '/') {
		path = path[3:]
	}
	if err := u.text(path, sp.pathAt()+len(sp.Path)-len(path), cPchar|cSlash|cQuest, "file-path-char"); err != nil {
		return nil, err
	}
	if strings.IndexByte(path, '?') >= 0 {
		u.note(Lax, "file-raw-question")
	}
	u.Segments = strings.Split(sp.Path[1:], "/")
	for i, s := range u.Segments {
		u.Segments[i] = decode(s)
		if strings.IndexByte(u.Segments[i], 0) >= 0 {
			return nil, u.fail(sp.pathAt(), "file-path-nul")
		}
	}
	return u, u.fragment()
}

// host: the form has no user and no port; "localhost" and "" mean this machine.
func (u *File) host() *Error {
	sp := &u.sp
	switch {
	case sp.HasUser:
		return u.fail(sp.userAt(), "userinfo-not-allowed")
	case hasDrive(sp.Host), len(sp.Host) == 1 && sp.Port == "" && sp.HasPort:
		return u.fail(sp.hostAt(), "file-drive-in-host")
	case sp.HasPort:
		return u.fail(sp.portAt()-1, "file-port-not-allowed")
	}
	at, _, err := u.authority(allowNoHost)
	if err == nil && at.Host != "localhost" {
		u.Host = at.Host
	}
	return err
}

func (*File) writeKey(p *keyWriter, sp *Parts) { p.addPath(sp) }
