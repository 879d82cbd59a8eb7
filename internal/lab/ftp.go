package lab

import (
	"fmt"
	"net"
	"path"
	"strings"
)

// FTP serves files on l until it is closed: absolute path to content. The
// directories above them exist as well. Anonymous logins only, control
// connection only: it answers the questions that need no transfer.
func FTP(l net.Listener, files map[string]string) error {
	return serveLines(l, "220 lab FTP server ready\r\n", func() func(string) string {
		return (&ftpSession{files: files, dir: "/"}).reply
	})
}

type ftpSession struct {
	files   map[string]string
	dir     string
	user    string
	entered bool
}

func (s *ftpSession) reply(line string) string {
	verb, arg, _ := strings.Cut(line, " ")
	verb = strings.ToUpper(verb)
	switch verb {
	case "USER":
		s.user, s.entered = arg, false
		return "331 Password required"
	case "PASS":
		if s.entered = s.user == "anonymous" || s.user == "ftp"; s.entered {
			return "230 Anonymous access granted"
		}
		return "530 Login incorrect"
	case "QUIT":
		return "221 Goodbye"
	}
	if !s.entered {
		return "530 Please login with USER and PASS"
	}
	return s.answer(verb, s.resolve(arg), arg)
}

func (s *ftpSession) answer(verb, at, arg string) string {
	content, isFile := s.files[at]
	isDir := s.isDir(at)
	switch verb {
	case "TYPE":
		return "200 Type set to " + arg
	case "PWD":
		return fmt.Sprintf("257 %q", s.dir)
	case "CWD", "SIZE", "MDTM", "MLST":
		if !isFile && !isDir {
			return fmt.Sprintf("550 %s: No such file or directory", arg)
		}
	}
	switch {
	case verb == "CWD" && isDir:
		s.dir = at
		return "250 Directory changed"
	case verb == "CWD":
		return fmt.Sprintf("550 %s: Not a directory", arg)
	case verb == "MLST" && isDir:
		return fmt.Sprintf("250-Listing\r\n type=dir; %s\r\n250 End", at)
	case verb == "MLST":
		return fmt.Sprintf("250-Listing\r\n type=file;size=%d; %s\r\n250 End", len(content), at)
	case (verb == "SIZE" || verb == "MDTM") && isDir:
		return fmt.Sprintf("550 %s: not a plain file", arg)
	case verb == "SIZE":
		return fmt.Sprintf("213 %d", len(content))
	case verb == "MDTM":
		return "213 19930401120000"
	}
	return "502 Command not implemented"
}

func (s *ftpSession) resolve(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(s.dir, name)
}

func (s *ftpSession) isDir(at string) bool {
	for name := range s.files {
		if strings.HasPrefix(name, at+"/") {
			return true
		}
	}
	return at == "/"
}
