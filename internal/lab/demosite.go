package lab

import (
	"net"
	"net/http"
	"time"
)

// The world of Wells County Library: what stands, and what is missing, behind
// the names in testdata/corpus/demo.

var (
	// refusing are servers that are switched off.
	refusing = []string{"ftp.cni.org:21"}
	// elsewhere are names with an address that may not be dialled.
	elsewhere = map[string]string{"intranet.wells.test": "10.20.30.40"}
	// departed are names that the world had once.
	departed = []string{"ftp.closed.test"}
)

func (w *World) servers() []server {
	return []server{
		at(80, HTTP, http.Handler(w.web()), "www.wells.test", "www.rfc.wells.test", "www.anything.test", "sold.test", "www.slow.test", "guides.wells.test"),
		at(21, FTP, ftpFiles, "ftp.wells.test", "ds.internic.net"),
		at(21, FTP, map[string]string{"/pub/z3950/README": "maintenance agency\n"}, "ftp.loc.gov"),
		at(70, Gopher, gopherItems, "gopher.wells.test"),
		at(119, NNTP, newsGroups, "news.wells.test"),
		at(23, Telnet, "\r\nWells County Library\r\nlogin: ", "catalogue.wells.test", "mainframe.wells.test"),
		at(210, Z3950, z3950Databases, "z3950.wells.test", "melvyl.ucop.edu"),
		at(2100, Z3950, map[string][]string{"tmf": {}}, "cnidr.org"),
		at(210, WAIS, waisDatabases, "wais.wells.test"),
		{port: 1525, names: []string{"prospero.wells.test"},
			udp: func(c net.PacketConn) error { return Prospero(c, prosperoObjects) }},
		at(1096, CNRP, cnrpItems, "names.wells.test"),
		at(2628, Dict, dictionary, "words.wells.test"),
		at(79, Finger, map[string]string{"marsh": "Hannah Marsh, Systems Office\r\n"}, "wells.test"),
	}
}

// at is a TCP server at a port, with what it serves and the names behind which it stands.
func at[T any](port int, serve func(net.Listener, T) error, content T, names ...string) server {
	return server{port: port, names: names, serve: func(l net.Listener) error { return serve(l, content) }}
}

var (
	ftpFiles = map[string]string{
		"/pub/guides/telnet-guide.txt": "How to use telnet.\n",
		"/pub/guides/gopher-guide.txt": "How to use Gopher.\n",
		"/pub/guides/wais-guide.txt":   "How to use WAIS.\n",
		"/etc/motd":                    "Welcome.\n",
		"/rfc/rfc1738.txt":             "Uniform Resource Locators (URL)\n",
	}
	gopherItems = map[string]string{
		"":                        "1Branches\t1/Branches\tgopher.wells.test\t70\r\n0Opening Hours\t0/Library/Opening Hours\tgopher.wells.test\t70\r\n.\r\n",
		"1/Branches":              "0Mill Street\t0/Branches/Mill\tgopher.wells.test\t70\r\n.\r\n",
		"0/Library/Opening Hours": "Monday to Saturday, ten to six.\r\n",
		"/history\tmill":          "0Mill papers\t0/history/mill\tgopher.wells.test\t70\r\n.\r\n",
		"/history":                ".\r\n",
	}
	newsGroups     = map[string][]string{"wells.announce": {"1993Mar4.120144@wells.test", "1993Apr1.090000@wells.test"}}
	z3950Databases = map[string][]string{"books": {"wells-0042", "wells-twin", "wells-twin"}, "cat": {}, "mags": {"elecworld.v30.n19"}}
	waisDatabases  = map[string]map[string]string{"minutes": {"/minutes/1993-04": "The budget was approved."}}

	prosperoObjects = map[string]string{"/papers/1993/index": "AFTP INTERNET-D ftp.wells.test ASCII /pub/papers/1993 BINARY"}
	dictionary      = map[string]string{"millrace": "The channel that brings the water to the wheel."}
	cnrpItems       = []CNRPItem{{ID: "5432345", Name: "Wells Library", URI: "http://www.wells.test/"}}
)

// web is the Web of the demo. One site is often busy and then recovers.
func (w *World) web() Web {
	busy := func(rw http.ResponseWriter, r *http.Request) {
		if w.night.Load() < 3 {
			Status(http.StatusServiceUnavailable)(rw, r)
			return
		}
		Page("The slow server", "Thank you for waiting.")(rw, r)
	}
	return Web{
		"www.wells.test":     wellsSite,
		"www.rfc.wells.test": {"/rfc2056.txt": Text("text/plain", "Uniform Resource Locators for Z39.50\n")},
		"www.anything.test":  {"*": Sorry, "/": Page("Anything", "We keep anything.")},
		"sold.test":          {"*": ParkedPage},
		"www.slow.test":      {"*": busy},
		"guides.wells.test":  w.guides(),
	}
}

// guides are pages that no document of the demo holds: they are read from their server. One
// of them is taken down.
func (w *World) guides() Site {
	page := func(title, text string) http.HandlerFunc {
		return Text("text/html", "<title>"+title+"</title><p>"+text+"</p>")
	}
	maps := page("Maps", `<a href="/">Guides</a>, <a href="http://www.wells.test/atlas/">the county atlas</a>`)
	return Site{
		"/":          page("Guides", `<a href="maps.html">Maps</a>, <a href="mills.html">Mills</a>, <a href="http://www.wells.test/">the library</a>`),
		"/maps.html": maps,
		"/mills.html": func(rw http.ResponseWriter, r *http.Request) {
			if w.night.Load() < 2 {
				page("Mills", `<a href="http://www.wells.test/papers/mill.html">Mill papers</a>`)(rw, r)
				return
			}
			NotFound(rw, r)
		},
	}
}

var wellsSite = Site{
	"/":                       Page("Wells County Library", "Ten branches, one catalogue."),
	"/index.html":             Page("Wells County Library", "Ten branches, one catalogue, one page."),
	"/old/index.html":         Redirect(http.StatusMovedPermanently, "/"),
	"/atlas/":                 Page("County atlas", "Forty sheets, 1785."),
	"/branches/":              Page("Branches", "Mill Street, Market Square, and eight more."),
	"/~hill/":                 Page("J. Hill", "Reference desk."),
	"/exhibit":                Page("The exhibition", "Room two: maps."),
	"/stats/1993.html":        Page("Branch statistics", "Loans by branch."),
	"/moved/draft":            Redirect(http.StatusMovedPermanently, "/papers/draft"),
	"/moved/mill.html":        Redirect(http.StatusMovedPermanently, "/papers/mill.html"),
	"/moved/stats-1991.html":  Redirect(http.StatusMovedPermanently, "/papers/stats-1991.html"),
	"/moved/stats-1992.html":  Redirect(http.StatusMovedPermanently, "/papers/stats-1992.html"),
	"/papers/draft":           Page("On documents and their names", "A draft of 1991."),
	"/papers/mill.html":       Page("Mill papers", "Finding aid, 1780 to 1850."),
	"/papers/stats-1991.html": Page("Statistics 1991", "Loans by month."),
	"/papers/stats-1992.html": Page("Statistics 1992", "Loans by week."),
	"/gone.html":              Status(http.StatusGone),
	"/members/list.html":      Status(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="members"`),
	"/sleepy":                 Slow(time.Minute, Page("Sleepy", "At last.")),
	"/links/paper.gif":        Text("image/gif", "GIF89a"),
	"/images/seal.gif":        Text("image/gif", "GIF89a"),
	"/robots.txt":             Text("text/plain", "User-agent: *\nDisallow: /robots/\n"),
	"/robots/private.html":    Page("For people only", "You are not a person."),
}
