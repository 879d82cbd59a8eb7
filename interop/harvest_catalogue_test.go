package interop

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// A domZebra is a catalogue of MARCXML that Zebra serves by SRU and by Z39.50.
type domZebra struct {
	at, dir, config string
}

// newDOMZebra starts Zebra over no records. Its stylesheets index field 001 as
// Local-number and give records as they came.
func newDOMZebra(t *testing.T) *domZebra {
	t.Helper()
	server, n, z := need(t, "zebrasrv"), port(t), &domZebra{dir: t.TempDir()}
	if found, _ := filepath.Glob("/usr/lib/*/idzebra-2.0/modules/mod-dom.so"); len(found) == 0 {
		missing(t, "libidzebra-2.0-mod-dom is not installed: run interop/install.sh")
	}
	modules, _ := filepath.Glob("/usr/lib/*/idzebra-2.0/modules")
	replace := strings.NewReplacer("DIR", z.dir, "TABLES", zebraTables, "MODULES", strings.Join(modules, ":"), "PORT", fmt.Sprint(n)).Replace
	for name, text := range map[string]string{
		"zebra.cfg": `profilePath: DIR:TABLES
modulePath: MODULES
attset: bib1.att
recordType: dom.DIR/dom.xml
storeKeys: 1
storeData: 1
register: DIR/register:20M
lockDir: DIR
setTmpDir: DIR
keyTmpDir: DIR
perm.anonymous: r
`,
		"dom.xml": `<dom xmlns="http://indexdata.com/zebra-2.0"><extract name="index"><xslt stylesheet="index.xsl"/></extract>
<retrieve name="marcxml"/><input><xmlreader level="0"/></input></dom>
`,
		"index.xsl": `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:z="http://indexdata.com/zebra-2.0"
 xmlns:m="http://www.loc.gov/MARC21/slim" exclude-result-prefixes="m"><xsl:template match="text()"/>
<xsl:template match="/m:record"><z:record z:id="{m:controlfield[@tag='001']}">
<z:index name="Local-number:w Local-number:p"><xsl:value-of select="m:controlfield[@tag='001']"/></z:index></z:record></xsl:template></xsl:stylesheet>
`,
		"pqf.properties": "set.cql = info:srw/cql-context-set/1/cql-v1.1\nindex.cql.allRecords = 1=_ALLRECORDS 2=103\nindex.cql.serverChoice = 1=12\n" +
			"relation.eq = 2=3\nrelation.scr = 2=3\nstructure.* = 4=1\nposition.any = 3=3 6=1\n",
		"gfs.xml": `<yazgfs><listen id="here">tcp:127.0.0.1:PORT</listen><server id="catalogue" listenref="here"><config>DIR/zebra.cfg</config>
<cql2rpn>DIR/pqf.properties</cql2rpn><retrievalinfo>
<retrieval syntax="xml" name="marcxml" identifier="info:srw/schema/1/marcxml-v1.1"/>
<retrieval syntax="usmarc" name="F"><backend syntax="xml" name="marcxml"><marc inputformat="xml" outputformat="marc" inputcharset="utf-8" outputcharset="utf-8"/></backend></retrieval>
</retrievalinfo></server></yazgfs>
`,
		"register/x": "",
	} {
		write(t, z.dir, name, replace(text))
	}
	z.config = filepath.Join(z.dir, "zebra.cfg")
	z.run(t, "init")
	z.at = daemon(t, n, command(server, "-v", "none", "-f", filepath.Join(z.dir, "gfs.xml")))
	return z
}

func (z *domZebra) run(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(need(t, "zebraidx"), append([]string{"-v", "fatal,warn", "-c", z.config}, args...)...)
	cmd.Dir = z.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("zebraidx %v: %v %s", args, err, out)
	}
}

// marcXML is a record with a title and a link.
func marcXML(id, title, link string) string {
	return `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">` + id + `</controlfield>` +
		`<datafield tag="245" ind1="0" ind2="0"><subfield code="a">` + title + `</subfield></datafield>` +
		`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">` + link + `</subfield></datafield></record>`
}

// put adds a record, or changes it; remove takes one away.
func (z *domZebra) put(t *testing.T, id, title, link string) {
	t.Helper()
	z.run(t, "-d", "Default", "update", write(t, z.dir, "records/"+id+".xml", marcXML(id, title, link)))
}

func (z *domZebra) remove(t *testing.T, id string) {
	t.Helper()
	z.run(t, "-d", "Default", "delete", filepath.Join(z.dir, "records", id+".xml"))
}

const anyPort = "127.0.0.1:0"

// oneAtATime listens at an address, which it gives, and leads to a server; no two
// connections may be open there at once.
func oneAtATime(t *testing.T, at, server string) string { return overheard(t, at, server, io.Discard) }

// overheard is oneAtATime that writes down what the program says.
func overheard(t *testing.T, at, server string, said io.Writer) string {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	var all atomic.Int64
	running.Go(func() {
		for open := []net.Conn(nil); ; {
			client, err := l.Accept()
			if err != nil {
				return
			}
			all.Add(1)
			if open = append(slices.DeleteFunc(open, hasEnded), client); len(open) > 1 {
				t.Errorf("%d connections are open", len(open))
			}
			up, err := net.Dial("tcp", server)
			if err != nil {
				t.Error(err)
				client.Close()
				return
			}
			running.Go(func() { io.Copy(client, up); client.Close() })
			running.Go(func() { io.Copy(up, io.TeeReader(client, said)); up.Close() })
		}
	})
	t.Cleanup(func() {
		l.Close()
		if running.Wait(); all.Load() == 0 {
			t.Error("nothing was asked")
		}
	})
	return l.Addr().String()
}

// hasEnded says whether a connection was closed, here or at its other end. The socket is
// asked, for who reads from it may not have had a turn since.
func hasEnded(c net.Conn) bool {
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		return true
	}
	var n int
	var came error
	err = raw.Control(func(fd uintptr) {
		n, _, came = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err != nil || n <= 0 && !errors.Is(came, syscall.EAGAIN)
}

// testCatalogue reads the records of a server for three nights: all are found, a night
// without changes reads none, and what was added, changed and taken away is told.
func testCatalogue(t *testing.T, program, root string, put func(id, title, link string), remove func(id string)) {
	link := func(id string) string { return "mailto:" + id + "@wells.example" } // nobody is asked for it
	for i := range 7 {
		id := fmt.Sprintf("lc%04d", i)
		put(id, "Title "+id, link(id))
	}
	a := newArchive(t, program, root)
	links := func(names ...string) {
		t.Helper()
		var want []string
		for _, name := range names {
			want = append(want, "not-checkable "+link(name))
		}
		if got := a.urls(); !slices.Equal(got, want) {
			t.Errorf("links %q, want %q", got, want)
		}
	}
	a.night(0).is(t, 7, 7, 0, 0, "whole")
	links("lc0000", "lc0001", "lc0002", "lc0003", "lc0004", "lc0005", "lc0006")
	a.night(0).is(t, 7, 0, 0, 0, "whole")
	remove("lc0003")
	put("lc0004", "Another title", link("lc0004b"))
	put("lc0009", "Title", link("lc0009"))
	a.night(0).is(t, 7, 1, 1, 1, "whole")
	links("lc0000", "lc0001", "lc0002", "lc0004b", "lc0005", "lc0006", "lc0009")
}

func testZebra(t *testing.T, program string) {
	for name, root := range map[string]string{"sru": "sru+http://{at}/Default?maximumRecords=3", "z3950": "z39.50r://{at}/Default"} {
		t.Run(name, func(t *testing.T) {
			z := newDOMZebra(t)
			testCatalogue(t, program, strings.ReplaceAll(root, "{at}", oneAtATime(t, anyPort, z.at)),
				func(id, title, link string) { z.put(t, id, title, link) }, func(id string) { z.remove(t, id) })
		})
	}
}

// testNews reads the groups of INN: new articles alone are read, one in two groups once,
// and one that was cancelled is gone when all numbers are looked at again, a week later. What
// a group that was removed had stays. Nothing is asked that was told before.
func testNews(t *testing.T, program string) {
	addr, run := inn(t, guests, "")
	ctl := func(args ...string) {
		t.Helper()
		if out, err := run("ctlinnd", args...).CombinedOutput(); err != nil {
			t.Fatalf("ctlinnd: %v: %s", err, out)
		}
	}
	post(t, addr, "test.linkcheck", "one@archive.example", false)
	post(t, addr, "test.linkcheck,test.empty", "two@archive.example", false)
	var c conversation
	a := newArchive(t, program, "news://"+overheard(t, anyPort, addr, &c)+"/test.*")
	a.night(0).is(t, 2, 2, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "OVER 1-1000", "GROUP test.linkcheck", "OVER 1-1000", "ARTICLE <two@archive.example>", "ARTICLE <one@archive.example>")
	a.night(0).is(t, 2, 0, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "GROUP test.linkcheck")
	post(t, addr, "test.linkcheck", "three@archive.example", false)
	a.night(0).is(t, 3, 1, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "GROUP test.linkcheck", "OVER 3-1002", "ARTICLE <three@archive.example>")
	ctl("cancel", "<one@archive.example>")
	a.nights += 7
	a.night(0).is(t, 2, 0, 0, 1, "whole")
	newsAsked(t, &c, "GROUP test.empty", "OVER 1-1000", "GROUP test.linkcheck", "OVER 1-1000")
	ctl("rmgroup", "test.empty")
	a.nights += 7
	a.night(0).is(t, 2, 0, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.linkcheck", "OVER 1-1000")
}

// newsAsked checks that a news server was asked for these in a night, and nothing else.
func newsAsked(t *testing.T, c *conversation, want ...string) {
	t.Helper()
	once(t, c.sent("MODE", "CAPABILITIES", "LIST", "GROUP", "OVER", "XOVER", "HDR", "XHDR", "LISTGROUP", "STAT", "HEAD", "ARTICLE", "QUIT"),
		slices.Concat([]string{"MODE READER", "LIST ACTIVE test.*", "QUIT"}, want)...)
}

// testSn is testNews for sn, which has no OVER: it is asked for that once.
func testSn(t *testing.T, program string) {
	addr, run := sn(t)
	post(t, addr, "test.linkcheck", "one@archive.example", false)
	post(t, addr, "test.linkcheck,test.empty", "two@archive.example", false)
	var c conversation
	a := newArchive(t, program, "news://"+overheard(t, anyPort, addr, &c)+"/test.*")
	a.night(0).is(t, 2, 2, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "OVER 1-1009", "XOVER 1-1009", "GROUP test.linkcheck", "XOVER 1-1009", "ARTICLE <one@archive.example>", "ARTICLE <two@archive.example>")
	a.night(0).is(t, 2, 0, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "GROUP test.linkcheck")
	post(t, addr, "test.linkcheck", "three@archive.example", false)
	a.night(0).is(t, 3, 1, 0, 0, "whole")
	newsAsked(t, &c, "GROUP test.empty", "GROUP test.linkcheck", "XOVER 12-1011", "ARTICLE <three@archive.example>")
	if out, err := run("sncancel", "-i", "one@archive.example").CombinedOutput(); err != nil {
		t.Fatalf("sncancel: %v: %s", err, out)
	}
	a.nights += 7
	a.night(0).is(t, 2, 0, 0, 1, "whole")
	newsAsked(t, &c, "GROUP test.empty", "XOVER 1-1009", "GROUP test.linkcheck", "XOVER 1-1009")
}
