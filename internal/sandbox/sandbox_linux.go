package sandbox

import (
	"os"
	"path/filepath"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// leastABI is the first version of Landlock that denies all ways of writing: cutting a
// file off came with the third.
const leastABI = 3

// Available says whether this kernel denies reading and writing of files.
func Available() bool {
	version, err := llsys.LandlockGetABIVersion()
	return err == nil && version >= leastABI
}

// Enter leaves the whole process, for the rest of its life, only these files and what
// every program needs. Where the kernel has no Landlock, or an old one, it denies what it
// can.
func Enter(f Files) error {
	return landlock.V9.BestEffort().RestrictPaths(rulesOf(f)...)
}

// EnterForPrograms is Enter for a process that starts others: what has no file is denied
// too, as far as the kernel can: other ports, UDP, the sockets and signals of processes
// outside.
func EnterForPrograms(f Files, p Programs) error {
	r := rulesOf(f)
	for _, name := range p.Run {
		r.allow(name, reading|llsys.AccessFSExecute)
	}
	for _, name := range p.Use {
		r.allow(name, reading|writing|llsys.AccessFSIoctlDev)
	}
	r.allow(f.Scratch, reading|filling|llsys.AccessFSMakeSock|llsys.AccessFSMakeFifo|llsys.AccessFSMakeSym|llsys.AccessFSRefer)
	return landlock.V11.BestEffort().Restrict(append(r, landlock.ConnectTCP(p.Connect))...)
}

// rulesOf are the rules for files.
func rulesOf(f Files) (r rules) {
	for _, name := range systemFiles() {
		r.allow(name, reading)
	}
	for _, name := range f.Read {
		r.allow(name, reading)
	}
	for _, name := range f.Write {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			r.allow(name, reading|replacing) // its files are
			continue
		}
		if err == nil && !info.Mode().IsRegular() {
			r.allow(name, reading|writing) // a device or a pipe is written to, never replaced
			continue
		}
		r.allow(filepath.Dir(name), reading|replacing)
		if file, err := filepath.EvalSymlinks(name); err == nil {
			r.allow(filepath.Dir(file), reading|replacing)
		}
	}
	if len(f.Run) > 0 {
		for _, name := range append(f.Run, "/usr", "/bin", "/lib", "/lib64") {
			r.allow(name, reading|llsys.AccessFSExecute)
		}
		r.allow(os.DevNull, reading|writing)
	}
	for _, name := range f.Create {
		r.allow(nearest(name), reading|filling)
	}
	r.allow(f.Scratch, reading|filling)
	if f.Scratch != "" {
		r.allow(filepath.Dir(f.Scratch), llsys.AccessFSRemoveDir)
	}
	return r
}

// rules are what is not denied.
type rules []landlock.Rule

// allow adds a rule for a file or a folder that is there. A name that leads to a pipe or a
// socket without a name of its own (/dev/stdout, /dev/fd/3) needs no rule, and none can
// name it.
func (r *rules) allow(name string, rights landlock.AccessFSSet) {
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return
	}
	info, err := os.Stat(file)
	if err != nil {
		return
	}
	if !info.IsDir() {
		rights &= ofFile
	}
	*r = append(*r, landlock.PathAccess(rights, file).IgnoreIfMissing())
}

// What may be done to files, and in folders to those in them.
const (
	reading   = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSReadDir)
	writing   = landlock.AccessFSSet(llsys.AccessFSWriteFile | llsys.AccessFSTruncate)
	replacing = writing | landlock.AccessFSSet(llsys.AccessFSMakeReg|llsys.AccessFSRemoveFile)
	filling   = replacing | landlock.AccessFSSet(llsys.AccessFSMakeDir|llsys.AccessFSRemoveDir)
	ofFile    = landlock.AccessFSSet(llsys.AccessFSReadFile|llsys.AccessFSExecute|llsys.AccessFSIoctlDev) | writing
)

// nearest is the folder nearest to a name that is there: itself, or one above it.
func nearest(name string) string {
	name, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	for {
		if info, err := os.Stat(name); err == nil && info.IsDir() || name == filepath.Dir(name) {
			return name
		}
		name = filepath.Dir(name)
	}
}

// systemFiles are read by the libraries: names of hosts and services, certificates, the
// zone of the clock, the shared libraries of the C resolver.
func systemFiles() []string {
	return append(filepath.SplitList(os.Getenv("SSL_CERT_DIR")), os.Getenv("SSL_CERT_FILE"),
		"/etc/resolv.conf", "/run/systemd/resolve", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
		"/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/cacert.pem",
		"/etc/pki/ca-trust/extracted", "/etc/ca-certificates", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/usr/share/pki",
		"/etc/localtime", "/usr/share/zoneinfo",
		"/etc/passwd", // names of users, for the author of a mark
		"/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64",
		"/proc/sys/net/core/somaxconn", "/proc/sys/kernel/hostname")
}
