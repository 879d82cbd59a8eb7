package ingest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Selection says which files below the given folders are read. Patterns are those of
// gitignore(5): one without a slash matches a name anywhere, others a path below the given
// folder, or from it on; "**" stands for any folders; with a slash at the end it matches
// folders alone. The zero value takes all files, and follows no links to folders.
type Selection struct {
	Follow    bool     // read also what links to folders lead to
	Exclude   []string // patterns of files and folders that are not read; after "!" of those that are, nevertheless
	Include   []string // where there are any: only files that match one, or lie in a folder that does
	GitIgnore bool     // the files .gitignore in the folders that are read are honoured, and .git is not read
}

// Check says what is wrong with the patterns, or nil.
func (s *Selection) Check() error {
	for _, p := range slices.Concat(s.Exclude, s.Include) {
		if _, err := patternOf(p, ""); err != nil {
			return fmt.Errorf("pattern %.200q: %w", p, err)
		}
	}
	return nil
}

// pattern is a rule for paths below a folder.
type pattern struct {
	re      *regexp.Regexp // of the path below the folder
	below   string         // the folder, with a slash behind it; "": the given one
	folders bool           // of folders alone
	not     bool           // what an earlier one excludes is taken back
}

// maxPattern bounds a pattern, and with it the automaton that is made of it.
const maxPattern = 1000

// patternOf reads a pattern; one without a regexp matches nothing.
func patternOf(line, below string) (p pattern, err error) {
	p.below = below
	if p.not = strings.HasPrefix(line, "!"); p.not {
		line = line[1:]
	}
	trimmed := strings.TrimSuffix(line, "/")
	p.folders = trimmed != line
	line = trimmed
	if line == "" || len(line) > maxPattern {
		return p, nil
	}
	front := "^(?:.*/)?"
	if strings.Contains(line, "/") {
		line, front = strings.TrimPrefix(strings.TrimPrefix(line, "./"), "/"), "^"
	}
	p.re, err = regexp.Compile("(?s)" + front + globExpression(line) + "$")
	return p, err
}

// globExpression writes a glob as a regular expression.
func globExpression(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/") && (i == 0 || glob[i-1] == '/'):
			b.WriteString("(?:.*/)?")
			i += 2
		case glob[i:] == "**" && i > 0 && glob[i-1] == '/':
			b.WriteString(".+")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[' && strings.IndexByte(glob[i+1:], ']') > 0:
			set := glob[i+1 : i+1+strings.IndexByte(glob[i+1:], ']')]
			i += len(set) + 1
			if strings.HasPrefix(set, "!") {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
		case c == '\\' && i+1 < len(glob):
			i++
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	return b.String()
}

func patternsOf(lines []string, below string) (list []pattern) {
	for _, line := range lines {
		if p, err := patternOf(line, below); err == nil && p.re != nil {
			list = append(list, p)
		}
	}
	return list
}

// excluded says whether the last of the patterns that match a path excludes it; rel is
// below the given folder, shown the path as it was named.
func excluded(list []pattern, rel, shown string, folder bool) bool {
	for _, p := range slices.Backward(list) {
		below, inside := strings.CutPrefix(rel, p.below)
		if inside && (folder || !p.folders) && (p.re.MatchString(below) || shown != "" && p.re.MatchString(shown)) {
			return !p.not
		}
	}
	return false
}

// wanted says whether a file or folder is read: rel is its path below the given folder, path
// as it was named. The folders above it are.
func (w *way) wanted(rel, shown string, folder bool) bool {
	rel, shown = filepath.ToSlash(filepath.Clean(rel)), strings.TrimPrefix(filepath.ToSlash(filepath.Clean(shown)), "/")
	if excluded(w.exclude, rel, shown, folder) || w.GitIgnore && (path.Base(rel) == ".git" || excluded(w.ignored, rel, "", folder)) {
		return false
	}
	if len(w.Include) == 0 || folder {
		return true
	}
	for ; ; folder = true { // the file, and the folders around it
		if excluded(w.include, rel, shown, folder) {
			return true
		}
		if rel = path.Dir(rel); rel == "." || rel == "/" {
			return false
		}
		shown = path.Dir(shown)
	}
}

// ignore adds the patterns of the .gitignore of the folder rel below dir, and gives what takes
// them away again.
func (w *way) ignore(dir, rel string) (restore func()) {
	before := len(w.ignored)
	restore = func() { w.ignored = w.ignored[:before] }
	if !w.GitIgnore {
		return restore
	}
	f, err := os.OpenInRoot(dir, filepath.Join(rel, ".gitignore"))
	if err != nil {
		return restore // there is none, or it leads out of the folder
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return restore
	}
	below := ""
	if rel != "." {
		below = filepath.ToSlash(rel) + "/"
	}
	lines := bufio.NewScanner(io.LimitReader(f, maxIgnoreFile))
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if line != "" && line[0] != '#' && len(w.ignored) < maxPatterns {
			w.ignored = append(w.ignored, patternsOf([]string{line}, below)...)
		}
	}
	return restore
}

const (
	maxIgnoreFile = 1 << 20 // octets of a .gitignore that are read
	maxPatterns   = 5000    // of such files that hold at one place
)
