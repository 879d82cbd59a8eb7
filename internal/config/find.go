package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"linkcheck/internal/openfile"
)

// system is the file for everybody who uses the machine.
const system = "/etc/linkcheck/" + Name

// Read reads a file that the person gave. verbs are the names that a table may have.
func Read(ctx context.Context, name string, verbs []string) (*File, error) {
	f, err := openfile.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := readText(name, f)
	if err != nil {
		return nil, err
	}
	return parse(name, text, verbs)
}

// Found reads the files that are there without being given, the strongest first: that of
// the person, in $XDG_CONFIG_HOME/linkcheck or ~/.config/linkcheck, that of the machine,
// and that of the current folder. passedOver says which was not read, and why.
func Found(ctx context.Context, getenv func(string) string, verbs []string) (files []*File, passedOver []string, err error) {
	own := userFile(getenv)
	for _, name := range []string{own, system} {
		f, err := Read(ctx, name, verbs)
		switch {
		case err == nil:
			files = append(files, f)
		case errors.Is(err, fs.ErrPermission):
			passedOver = append(passedOver, fmt.Sprintf("%s: it cannot be opened (%s)", name, reason(err)))
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR): // a home such as /dev/null
			return nil, nil, err
		}
	}
	if same(own, Name) { // the current folder is that of the person's own file
		return files, passedOver, nil
	}
	f, why, err := readFolder(ctx, verbs)
	if f != nil {
		files = append(files, f)
	}
	if why != "" {
		passedOver = append(passedOver, fmt.Sprintf("%s of this folder: %s", Name, why))
	}
	return files, passedOver, err
}

// same says whether two names are there and of one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// userFile is the person's own file by the XDG Base Directory Specification, which passes
// over a path that is not absolute; "" if there is no such place.
func userFile(getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		if dir = getenv("HOME"); !filepath.IsAbs(dir) {
			return ""
		}
		dir = filepath.Join(dir, ".config")
	}
	return filepath.Join(dir, "linkcheck", Name)
}

// readFolder reads the file of the current folder if it and what it links to belong to
// the person or to root. A link out of the folder is not followed.
func readFolder(ctx context.Context, verbs []string) (f *File, whyNot string, err error) {
	link, err := os.Lstat(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err == nil && !trusted(link) {
		return nil, notOurs, nil
	}
	file, err := openfile.Open(ctx, func() (*os.File, error) { // a FIFO must not block: it is nobody's configuration
		root, err := os.OpenRoot(".")
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return root.OpenFile(Name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return nil, fmt.Sprintf("it cannot be opened (%s)", reason(err)), ctx.Err()
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, "", err
	case !info.Mode().IsRegular():
		return nil, "it is no regular file", nil
	case !trusted(info):
		return nil, notOurs, nil
	}
	text, err := readText(Name, file)
	if settings(text) > maxFolder {
		err = fmt.Errorf("%s of the current folder sets more than %d octets; give this file by --config", Name, maxFolder)
	}
	if err != nil {
		return nil, "", err
	}
	if f, err = parse(Name, text, verbs); err != nil {
		return nil, "", err
	}
	f.Folder = true
	return f, "", nil
}

const notOurs = "it belongs neither to you nor to root"

// reason is an error without the operation and the name of the file.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
