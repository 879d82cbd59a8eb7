package lab

import (
	"fmt"
	"io"
	"maps"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// FTP serves files on l until it is closed: absolute path to content. The
// directories above them exist as well. Anonymous logins only.
func FTP(l net.Listener, files map[string]string) error { return (&Files{Files: files}).Serve(l) }

// Files is an FTP server. It may be changed by Change while it serves.
type Files struct {
	Files map[string]string // as of FTP
	Links map[string]string // symbolic links: absolute path to absolute path
	Lost  bool              // files are listed, and said not to be there
	NoMLS bool              // MLSD is no command: folders are listed by LIST
	Asked func(what string) // hears of what is to be sent, as "RETR /path"; nil: nobody does

	mu sync.Mutex
}

// Change changes the server between two requests.
func (f *Files) Change(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// Serve serves on l until it is closed.
func (f *Files) Serve(l net.Listener) error {
	return serveLines(l, "220 lab FTP server ready\r\n", func() func(string) string {
		return (&ftpSession{server: f, dir: "/"}).reply
	})
}

type ftpSession struct {
	server  *Files
	files   map[string]string
	dir     string
	user    string
	entered bool
	data    net.Listener // of the next transfer; nil: none was asked for
}

func (s *ftpSession) reply(line string) string {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.files = s.server.Files
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
	at := s.resolve(arg)
	switch verb {
	case "MLSD", "LIST", "RETR":
		if s.server.Asked != nil {
			s.server.Asked(verb + " " + at)
		}
	}
	return s.answer(verb, s.target(at), arg)
}

func (s *ftpSession) answer(verb, at, arg string) string {
	content, isFile := s.files[at]
	isDir := s.isDir(at)
	switch verb {
	case "TYPE":
		return "200 Type set to " + arg
	case "PWD":
		return fmt.Sprintf("257 %q", s.dir)
	case "EPSV":
		return s.listen()
	case "MLSD", "LIST":
		if verb == "MLSD" && s.server.NoMLS {
			return "500 What?"
		}
		return s.transfer(s.rows(verb))
	case "CWD", "SIZE", "MDTM", "MLST", "RETR":
		if !isFile && !isDir || isFile && s.server.Lost {
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
	case verb == "RETR" && isFile:
		return s.transfer(content)
	case verb == "RETR":
		return fmt.Sprintf("550 %s: not a plain file", arg)
	case verb == "SIZE":
		return fmt.Sprintf("213 %d", len(content))
	case verb == "MDTM":
		return "213 19930401120000"
	}
	return "502 Command not implemented"
}

// listen opens a port for the next transfer: RFC 2428 section 3.
func (s *ftpSession) listen() string {
	if s.data != nil {
		s.data.Close()
	}
	var err error
	if s.data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return "425 No data connection"
	}
	return fmt.Sprintf("229 Entering Extended Passive Mode (|||%d|)", s.data.Addr().(*net.TCPAddr).Port)
}

// transfer sends what fits into the buffers of a connection.
func (s *ftpSession) transfer(content string) string {
	if s.data == nil {
		return "425 Use EPSV first"
	}
	defer func() { s.data = nil }()
	defer s.data.Close()
	s.data.(*net.TCPListener).SetDeadline(time.Now().Add(idle))
	c, err := s.data.Accept()
	if err != nil {
		return "425 No data connection"
	}
	defer c.Close()
	io.WriteString(c, content)
	return "150 Here it comes\r\n226 Done"
}

// rows are those of the folder at hand.
func (s *ftpSession) rows(verb string) string {
	folders := map[string]bool{}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		below, in := strings.CutPrefix(name, strings.TrimSuffix(s.dir, "/")+"/")
		first, _, folder := strings.Cut(below, "/")
		switch size := len(s.files[name]); {
		case !in || folders[first]:
		case folder && verb == "MLSD":
			fmt.Fprintf(&text, "type=dir;modify=19930401120000; %s\r\n", first)
		case folder:
			fmt.Fprintf(&text, "drwxr-xr-x    2 0        0            4096 Apr 01  1993 %s\r\n", first)
		case verb == "MLSD":
			fmt.Fprintf(&text, "type=file;size=%d;modify=19930401120000; %s\r\n", size, first)
		default:
			fmt.Fprintf(&text, "-rw-r--r--    1 0        0        %8d Apr 01  1993 %s\r\n", size, first)
		}
		folders[first] = folder
	}
	for _, link := range slices.Sorted(maps.Keys(s.server.Links)) {
		switch dir, name := path.Split(link); {
		case path.Clean(dir) != s.dir:
		case verb == "MLSD":
			fmt.Fprintf(&text, "type=OS.unix=symlink;modify=19930401120000; %s\r\n", name)
		default:
			fmt.Fprintf(&text, "lrwxrwxrwx    1 0        0               7 Apr 01  1993 %s -> %s\r\n", name, s.server.Links[link])
		}
	}
	return text.String()
}

// target is where a path leads through symbolic links.
func (s *ftpSession) target(at string) string {
	for range 8 { // there may be rings
		for link, to := range s.server.Links {
			if below, in := strings.CutPrefix(at+"/", link+"/"); in {
				at = path.Join(to, below)
			}
		}
	}
	return at
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
