package browser

import (
	"path/filepath"

	"linkcheck/internal/sandbox"
)

// confine leaves this process, and the browsers that it starts, the programs and
// libraries of the system, the folder of the browser and a folder for what they write.
func confine(s settings, scratch string) error {
	run := []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/opt", "/snap", "/nix/store", "/gnu/store", filepath.Dir(s.Path)}
	if file, err := filepath.EvalSymlinks(s.Path); err == nil {
		run = append(run, filepath.Dir(file))
	}
	return sandbox.EnterForPrograms(sandbox.Files{
		Read: []string{"/etc/chromium", "/etc/chromium.d", "/etc/chromium-browser", "/etc/opt", "/etc/fonts", "/etc/alternatives", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
			"/etc/os-release", "/etc/debian_version", "/etc/lsb-release", "/etc/mime.types", "/etc/machine-id", "/etc/group", "/etc/pki/nssdb", "/var/cache/fontconfig", "/sys/devices", "/sys/bus", "/dev"},
		Scratch: scratch,
	}, sandbox.Programs{
		Run:     run,
		Use:     []string{"/proc", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"},
		Connect: s.Proxy,
	})
}
