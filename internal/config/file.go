package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Name is the name of a configuration file that is looked for.
const Name = "linkcheck.toml"

// Files are bounded, in octets: any, and beside its comments one that was found in the
// current folder. The reader of TOML takes a time that grows with the square of the depth
// of tables, and more.
const (
	maxFile   = 1 << 20
	maxFolder = 4 << 10
)

// File is what a configuration file says.
type File struct {
	Name   string
	Folder bool // found in the current folder: somebody else may have written it
	text   string
	keys   map[string]any              // for every verb that has the flag
	tables map[string]map[string]any   // for one verb
	lists  map[string][]map[string]any // the tables of each list, in their order
}

// Lists are the names of tables that stand once for each of many things: [[host]].
var Lists = []string{"host", "root", "preprocess"}

// List gives the tables of a list, in their order.
func (f *File) List(name string) []map[string]any { return f.lists[name] }

// AtTable names the file and the line of a key of the table of a list with a number, counted
// from 0, or of the table where the key has no line of its own.
func (f *File) AtTable(list string, number int, key string) string {
	found, begin := -1, 0
	for i, line := range strings.Split(f.text, "\n") {
		name := strings.TrimSpace(line)
		if head := strings.ReplaceAll(name, " ", ""); strings.HasPrefix(head, "[") {
			if found == number {
				break
			}
			if strings.HasPrefix(head, "[["+list+"]]") {
				found++
				begin = i + 1
			}
		} else if word, _, _ := strings.Cut(name, "="); found == number && key != "" && strings.Trim(strings.TrimSpace(word), `"'`) == key {
			return fmt.Sprintf("%s:%d", f.Name, i+1)
		}
	}
	if found < number || begin == 0 {
		return f.Name
	}
	return fmt.Sprintf("%s:%d", f.Name, begin)
}

// Value finds what the file says of a flag to a verb, and where it says so.
func (f *File) Value(verb, flag string) (v any, where string, ok bool) {
	if v, ok = f.tables[verb][flag]; ok {
		return v, f.At(verb, flag), true
	}
	v, ok = f.keys[flag]
	return v, f.At("", flag), ok
}

// Key is one key of a file.
type Key struct {
	Table string // the verb whose table it stands in; "": none
	Name  string
	Value any
}

// Keys lists what the file sets, in the order of the names: first what stands in no table.
func (f *File) Keys() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for _, name := range slices.Sorted(maps.Keys(f.keys)) {
			if !yield(Key{"", name, f.keys[name]}) {
				return
			}
		}
		for _, table := range slices.Sorted(maps.Keys(f.tables)) {
			for _, name := range slices.Sorted(maps.Keys(f.tables[table])) {
				if !yield(Key{table, name, f.tables[table][name]}) {
					return
				}
			}
		}
	}
}

// At names the file and the line of a key in a table, or of the table where the key has no
// line of its own; "" is the top.
func (f *File) At(table, key string) string {
	line := 0
	if table != "" {
		line = lineOf(f.text, 0, table)
	}
	if line = cmp.Or(lineOf(f.text, line, key), line); line == 0 {
		return f.Name
	}
	return fmt.Sprintf("%s:%d", f.Name, line)
}

// lineOf finds the line, after another one, where a key or table begins; 0 if it
// is written in some other way.
func lineOf(text string, after int, key string) int {
	for i, line := range strings.Split(text, "\n") {
		name, _, _ := strings.Cut(line, "=")
		name = strings.TrimLeft(strings.TrimSpace(name), "[ \t\"'")
		if rest, ok := strings.CutPrefix(name, key); ok && i >= after && (rest == "" || strings.ContainsAny(rest[:1], " \t\"'].")) {
			return i + 1
		}
	}
	return 0
}

// readText reads a file of at most maxFile octets.
func readText(name string, r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s is larger than %d octets", name, maxFile)
	}
	return text, err
}

// settings counts the octets of the lines that are no comments. In a text of several
// lines a comment may be none: then all count.
func settings(text []byte) (n int) {
	if bytes.Contains(text, []byte(`"""`)) || bytes.Contains(text, []byte("'''")) {
		return len(text)
	}
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			n += len(line)
		}
	}
	return n
}

// parse makes sense of a file. A table named like one of the verbs is for that verb, also
// where a flag has the same name.
func parse(name string, text []byte, verbs []string) (*File, error) {
	f := &File{Name: name, text: string(text), keys: map[string]any{}, tables: map[string]map[string]any{}, lists: map[string][]map[string]any{}}
	if err := toml.Unmarshal(text, &f.keys); err != nil {
		if parse, ok := errors.AsType[toml.ParseError](err); ok {
			return nil, fmt.Errorf("%s:%d: %s", name, parse.Position.Line, parse.Message)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, name := range Lists { // a flag may have the same name
		if list, ok := f.keys[name].([]map[string]any); ok {
			f.lists[name] = list
			delete(f.keys, name)
		}
	}
	for _, verb := range verbs {
		if table, ok := f.keys[verb].(map[string]any); ok {
			f.tables[verb] = table
			delete(f.keys, verb)
		}
	}
	return f, nil
}
