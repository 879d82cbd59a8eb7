package extract

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"linkcheck/extract/archive"
	"linkcheck/extract/budget"
	"linkcheck/extract/catalog"
	"linkcheck/extract/doc"
	"linkcheck/extract/mail"
	"linkcheck/extract/marked"
	"linkcheck/extract/office"
	"linkcheck/extract/page"
	"linkcheck/extract/pdf"
	"linkcheck/extract/textscan"
)

// format is one row of the list: what it is called (as in Options.Input), how it
// is recognised, how it is read.
type format struct {
	name  string
	sniff func(doc.Peek) bool
	read  func(*doc.Document) error
}

// containers lists what is opened whatever Options.Input says: that is about what
// is inside.
var containers = []format{
	{"gzip", begins("\x1f\x8b"), archive.ReadGzip},
	{"compress", begins("\x1f\x9d"), archive.ReadCompress},
	{"bzip2", begins("BZh"), archive.ReadBzip2},
	{"xz", begins("\xfd7zXZ\x00"), archive.ReadXz},
	{"zstd", begins("\x28\xb5\x2f\xfd"), archive.ReadZstd},
	{"zip", archive.SniffZip, archive.ZipReader(office.Recognise)},
	{"tar", archive.SniffTar, archive.ReadTar},
	{"program", archive.SniffProgram, archive.ReadZip},
}

// formats lists the documents in the order in which they are tried: the first
// whose sniffer agrees reads. Text is last and takes everything.
var formats = []format{
	{"pdf", pdf.Sniff, pdf.Read},
	{"rtf", office.SniffRTF, office.ReadRTF},
	{"warc", archive.SniffWARC, archive.ReadWARC},
	{"rnews", mail.SniffRnews, mail.ReadRnews},
	{"csv", catalog.SniffCSV, catalog.ReadCSV},
	{"mrk", catalog.SniffMRK, catalog.ReadMRK},
	{"marc", catalog.SniffMARC, catalog.ReadMARC},
	{"gophermap", page.SniffGophermap, page.ReadGophermap},
	{"mbox", mail.SniffMbox, mail.ReadMbox},
	{"message", mail.SniffMessage, mail.ReadMessage},
	{"wikitext", marked.SniffWikitext, marked.ReadWikitext},
	{"asciidoc", marked.SniffAsciiDoc, marked.ReadAsciiDoc},
	{"rst", marked.SniffRST, marked.ReadRST},
	{"markdown", marked.SniffMarkdown, marked.ReadMarkdown},
	{"bookmarks", page.SniffBookmarks, page.ReadHTML},
	{"shortcut", page.SniffShortcut, page.ReadShortcut},
	{"mailpage", page.SniffMailPage, page.ReadMailPage},
	{"xml", catalog.SniffXML, catalog.ReadXML},
	{"html", page.SniffHTML, page.ReadHTML},
	{"bibtex", catalog.SniffBib, catalog.ReadBib},
	{"ris", catalog.SniffRIS, catalog.ReadRIS},
	{"json", catalog.SniffJSON, catalog.ReadJSON},
	{"vobject", catalog.SniffVObject, catalog.ReadVObject},
	{"texinfo", marked.SniffTexinfo, marked.ReadTexinfo},
	{"manual", marked.SniffManual, marked.ReadManual},
	{"latex", marked.SniffTeX, marked.ReadTeX},
	{"foreign", func(p doc.Peek) bool { return p.Foreign() != "" }, readForeign},
	{"image", doc.Peek.Image, func(*doc.Document) error { return nil }},
	{"binary", doc.Peek.Binary, func(*doc.Document) error { return errBinary }},
	{"text", func(doc.Peek) bool { return true }, textscan.ReadText},
}

// read reads d with the reader of the format called name, or with that of the
// first format that recognises it. Every member and part comes back here.
func read(d *doc.Document, name string) error {
	if name == "" || name == "auto" {
		return recognise(d).read(d)
	}
	for _, f := range slices.Concat(containers, formats) {
		if f.name == name {
			return f.read(d)
		}
	}
	return fmt.Errorf("unknown format %.200q", name)
}

// recognise finds the format of d: a container, the one that Options.Input
// forces, or the first that recognises it.
func recognise(d *doc.Document) format {
	head, _ := d.In.Peek(doc.SniffSize)
	p := doc.Peek{Name: d.Name, Head: head}
	for _, f := range containers {
		if f.sniff(p) {
			return f
		}
	}
	want := forced(d.Options.Input)
	for _, f := range formats {
		if f.name == want || want == "" && f.sniff(p) {
			return f
		}
	}
	return formats[len(formats)-1]
}

// otherNames are the names of Options.Input that are not those of the list.
var otherNames = map[string]string{"auto": "", "rfc": "text", "marcxml": "xml", "maildir": "message", "xlsx": ""}

// Inputs lists what Options.Input may name, in order: the formats that are read, and the other
// names of some. Behind "csv" a colon and a column may follow.
func Inputs() []string {
	names := slices.Collect(maps.Keys(otherNames))
	for _, f := range formats {
		if f.name != "foreign" && f.name != "image" && f.name != "binary" {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

// forced is the name of the format that Options.Input asks for; "" for none.
func forced(input string) string {
	name, _, _ := strings.Cut(input, ":")
	if other, ok := otherNames[name]; ok {
		return other
	}
	return name
}

// knownInput says whether Options.Input names a format at all.
func knownInput(input string) bool {
	want := forced(input)
	return want == "" || slices.ContainsFunc(formats, func(f format) bool { return f.name == want })
}

// Unpack gives what r unfolds to where it is one compressed stream, else r itself. Reading
// ends with an [*budget.Over] beyond Limits.Unfolded for a file of size octets; the other
// limits are for documents. stop frees what Unpack took.
func Unpack(ctx context.Context, r io.Reader, l Limits, size int64) (out *bufio.Reader, stop func(), err error) {
	in := bufio.NewReaderSize(r, doc.ReaderSize)
	head, _ := in.Peek(doc.SniffSize)
	l.Time = math.MaxInt64
	b, stop := budget.New(ctx, l, size)
	for _, f := range containers {
		if streams[f.name] && f.sniff(doc.Peek{Head: head}) {
			z, err := archive.Unpack(f.name, in)
			return bufio.NewReaderSize(b.Unfolding(z), doc.ReaderSize), stop, err
		}
	}
	return in, stop, nil
}

// streams are the containers that hold one stream and no names.
var streams = map[string]bool{"gzip": true, "compress": true, "bzip2": true, "xz": true, "zstd": true}

// begins makes a sniffer of the first bytes of a format.
func begins(magic string) func(doc.Peek) bool {
	return func(p doc.Peek) bool { return p.Begins(magic) }
}

// readForeign names the format of a document that nothing here reads.
func readForeign(d *doc.Document) error {
	head, _ := d.In.Peek(doc.SniffSize)
	return &doc.Foreign{Kind: doc.Peek{Head: head}.Foreign()}
}

// errBinary says that a file was passed over: it may be a damaged document.
var errBinary = errors.New("binary data of no known kind: passed over")
