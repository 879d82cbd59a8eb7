package extract

import (
	"bytes"
	"slices"
	"strings"
)

const (
	sniffSize  = 4096    // bytes a sniffer may look at
	readerSize = 1 << 16 // buffer before every reader; never below sniffSize
	maxDepth   = 16      // containers and parts inside one another
)

// peek is what a sniffer sees.
type peek struct {
	name string // last path element, lower case
	head []byte // up to sniffSize bytes
	o    Options
}

// format is one row of the list: what it is called (as in Options.Input), how it
// is recognised, how it is read.
type format struct {
	name  string
	sniff func(peek) bool
	read  func(*doc) error
}

// containers lists what is opened whatever Options.Input says: force is about
// what is inside.
func containers() []format {
	return []format{
		{"warc.gz", sniffWARCGzip, readWARCGzip},
		{"gzip", magic("\x1f\x8b"), readGzip},
		{"compress", magic(compressMagic), readCompress},
		{"bzip2", magic("BZh"), readBzip2},
		{"xz", magic("\xfd7zXZ\x00"), readXz},
		{"zstd", magic("\x28\xb5\x2f\xfd"), readZstd},
		{"zip", magic("PK\x03\x04"), readZip},
		{"tar", sniffTar, readTar},
	}
}

// formats lists the documents in the order in which they are tried: the first
// whose sniffer agrees reads. Text is last and takes everything.
func formats() []format {
	return []format{
		{"warc", sniffWARC, readWARC},
		{"rnews", sniffRnews, readRnews},
		{"csv", sniffCSV, readCSV},
		{"mrk", sniffMRK, readMRK},
		{"marc", sniffMARC, readMARC},
		{"gophermap", sniffGophermap, readGophermap},
		{"mbox", sniffMbox, readMbox},
		{"message", sniffMessage, readMessage},
		{"bookmarks", sniffBookmarks, readHTML},
		{"shortcut", sniffShortcut, readShortcut},
		{"mailpage", sniffMailPage, readMailPage},
		{"xml", sniffXML, readXML},
		{"html", sniffHTML, readHTML},
		{"bibtex", sniffBib, readBib},
		{"ris", sniffRIS, readRIS},
		{"json", sniffJSON, readJSON},
		{"foreign", sniffForeign, readForeign},
		{"image", sniffImage, readNothing},
		{"binary", sniffBinary, readBinary},
		{"text", func(peek) bool { return true }, readText},
	}
}

// format picks the row for d: a container, the forced one, or the first that
// recognises it.
func (d *doc) format() format {
	head, _ := d.in.Peek(sniffSize)
	p := peek{name: d.name, head: head, o: d.o}
	for _, f := range containers() {
		if f.sniff(p) {
			return f
		}
	}
	rows, want := formats(), forced(d.o.Input)
	for _, f := range rows {
		if f.name == want || want == "" && f.sniff(p) {
			return f
		}
	}
	return rows[len(rows)-1]
}

// forced is the name of the row that Options.Input means; "" for none.
func forced(input string) string {
	name, _, _ := strings.Cut(input, ":")
	switch name {
	case "auto":
		return ""
	case "rfc":
		return "text"
	case "marcxml":
		return "xml"
	case "maildir":
		return "message"
	}
	return name
}

// knownInput says whether Options.Input names a format at all.
func knownInput(input string) bool {
	want := forced(input)
	return want == "" || slices.ContainsFunc(formats(), func(f format) bool { return f.name == want })
}

func magic(s string) func(peek) bool {
	return func(p peek) bool { return bytes.HasPrefix(p.head, []byte(s)) }
}
