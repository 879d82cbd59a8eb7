package archive

import (
	"path"
	"strings"

	"linkcheck/internal/ascii"
	"linkcheck/uri/secret"
)

// memberName is the name as the archive has it, less what could point outside:
// it is only ever shown. Its passwords are hidden as long as the "//" before them stands.
func memberName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(secret.MaskText(name), `\`, "/")), "/")
}

// maildirs are the folders of an archive that have shown themselves to be
// Maildirs: they have a folder cur. A tar file shows it before tmp, as a rule.
type maildirs map[string]bool

// see notes a member, file or folder.
func (m maildirs) see(name string) {
	for _, folder := range []string{name, path.Dir(name)} {
		if path.Base(folder) == "cur" {
			m[path.Dir(folder)] = true
		}
	}
}

// unfinished says whether a member is a message not yet delivered: in the tmp of
// a Maildir, or in some tmp by the name that deliverers give (seconds since 1970,
// process, host: maildir(5)).
func (m maildirs) unfinished(name string) bool {
	folder, base := path.Split(name)
	folder = path.Clean(folder)
	if path.Base(folder) != "tmp" {
		return false
	}
	seconds, rest, _ := strings.Cut(base, ".")
	return m[path.Dir(folder)] || len(seconds) >= 9 && ascii.Digits(seconds) && strings.Contains(rest, ".")
}
