package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are those for which scripts/dist.sh builds: each links packages of its own.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// module is one that is linked, and the folders of its linked packages.
type module struct {
	path, version, dir string
	packages           map[string]bool
}

// linked lists the modules that the programs link on any platform, by path.
func linked() ([]*module, error) {
	all := map[string]*module{}
	for _, p := range platforms {
		system, arch, _ := strings.Cut(p, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "linkcheck/cmd/linkcheck", "linkcheck/cmd/linkcheck-engine")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", p, err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 4 {
				continue
			}
			if all[f[0]] == nil {
				all[f[0]] = &module{f[0], f[1], f[2], map[string]bool{}}
			}
			all[f[0]].packages[f[3]] = true
		}
	}
	list := make([]*module, 0, len(all))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[path])
	}
	return list, nil
}

// isNotice is the name of a file that says under what terms a module may be passed on.
var isNotice = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([-._].*)?$`)

// noticesOf lists the files of a module that are to be passed on, from its folder and from
// those down to its linked packages, by path.
func (m *module) noticesOf() ([]string, error) {
	folders := map[string]bool{}
	for dir := range m.packages {
		for ; strings.HasPrefix(dir, m.dir); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	var files []string
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && isNotice.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s %s has no file with its licence", m.path, m.version)
	}
	return files, nil
}

const rule = "================================================================================\n"

// notices writes the terms of Go itself and of every linked module.
func notices(out io.Writer) error {
	list, err := linked()
	if err != nil {
		return err
	}
	text, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	root := strings.TrimSpace(string(text))
	var b bytes.Buffer
	b.WriteString("linkcheck is made with the following, under the terms that stand here.\n" +
		"Written by scripts/modules; TestNotices holds that nothing is missing.\n")
	if err := section(&b, "Go standard library and runtime", []string{filepath.Join(root, "LICENSE")}, root); err != nil {
		return err
	}
	for _, m := range list {
		files, err := m.noticesOf()
		if err == nil {
			err = section(&b, m.path+" "+m.version, files, m.dir)
		}
		if err != nil {
			return err
		}
	}
	_, err = out.Write(b.Bytes())
	return err
}

// section writes the files of one module below its name.
func section(b *bytes.Buffer, name string, files []string, dir string) error {
	fmt.Fprintf(b, "\n%s%s\n%s", rule, name, rule)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if len(files) > 1 {
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "\n--- %s\n", filepath.ToSlash(rel))
		}
		text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
		fmt.Fprintf(b, "\n%s\n", bytes.Trim(text, "\n"))
	}
	return nil
}
