package sample

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
)

// host is a server of the invented internet, and what its links answer.
type host struct {
	weight   int // how often it is linked, of totalWeight
	scheme   string
	name     string
	path     string // a pattern for os.Expand, with the names of word
	share    int    // percent of its links to which the rest of the row applies; the others are well
	state    judge.State
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
	reply    string
	movedTo  string // the prefix its links moved to
}

const page = "/$subject/$kind/$subject$n.html"

// totalWeight is that of all hosts and of the small sites, which get what the
// weights of hosts leave over.
const totalWeight = 1100

var hosts = [...]host{
	{40, "http", "www.standards.example", "/standards/resources/Z39-$n-$year.pdf", 85, judge.Moved, check.Moved, "http-301", check.Strong, "301 → 200", "https://groups.standards.example"},
	{26, "http", "lcweb.natlib.example", page, 85, judge.Moved, check.Moved, "http-301", check.Strong, "301 → 200", "https://www.natlib.example/archive"},
	{30, "gopher", "gopher.tc.northlake.example", "/00/$kind%20about%20$subject/$n.txt", 100, judge.Dead, check.Unreachable, "dns-nxdomain", check.Strong, "no such host", ""},
	{22, "gopher", "gopher.micro.northlake.example", "/00/$kind%20about%20$subject/$n.txt", 60, judge.Dead, check.Gone, "gopher-error-item", check.Strong, "3 '/archive' does not exist (no handler found)", ""},
	{24, "ftp", "ftp.natlib.example", "/pub/$subject/$kind/draft-$n.txt", 70, judge.Dead, check.Gone, "ftp-550", check.Strong, "550 No such file or directory.", ""},
	{12, "ftp", "ftp.harbour.example", "/pub/$subject/$kind/draft-$n.txt", 100, judge.Failing, check.Temporary, "timeout", check.Weak, "", ""},
	{14, "ftp", "nic.funet.example", "/pub/$subject/$kind/draft-$n.txt", 0, judge.Alive, check.OK, "", check.Strong, "", ""},
	{44, "https", "journals.vendor.example", "/article/${year}Icar$n", 96, judge.Restricted, check.Blocked, "challenge", check.None, "403 Forbidden, cf-mitigated: challenge", ""},
	{14, "https", "ezproxy.campus.example", "/article/${year}Icar$n", 100, judge.Restricted, check.Auth, "http-401", check.None, "401 Unauthorized", ""},
	{18, "http", "members.homepages.example", page, 80, judge.Dead, check.Gone, "http-410", check.Strong, "410 Gone", ""},
	{16, "http", "www.mapworks.example", page, 45, judge.Suspect, check.Suspect, "soft-404", check.Weak, "200 OK, as for /qjxwvzkhgtrmbnfdlpcysauoe", ""},
	{9, "http", "www.oldpublisher.example", page, 100, judge.Suspect, check.Suspect, "parked", check.Weak, "200 OK, page of a domain seller", ""},
	{12, "http", "info.observatory.example", page, 80, judge.Failing, check.Temporary, "http-503", check.Weak, "503 Service Unavailable", ""},
	{10, "http", "sunsite.coast.example", page, 100, judge.Dead, check.Unreachable, "tcp-refused", check.Weak, "connection refused", ""},
	{18, "z39.50r", "cnidr.example:2100", "/tmf?bkirch_rules__a$n;esn=f;rs=marc", 30, judge.Dead, check.Gone, "z3950-no-hit", check.Strong, "searchStatus true, resultCount 0", ""},
	{6, "z39.50s", "z3950.natlib.example:210", "/tmf?bkirch_rules__a$n;esn=f;rs=marc", 40, judge.Suspect, check.Suspect, "not-unique", check.Weak, "searchStatus true, resultCount 3", ""},
	{20, "news", "", "${year}Mar01.$n@vms.campus.example", 100, judge.NotCheckable, check.NotDereferenceable, "no-news-server", check.None, "", ""},
	{14, "nntp", "news.archive.example", "/comp.infosystems.$subject/$n", 90, judge.Dead, check.Gone, "nntp-430", check.Strong, "430 No such article", ""},
	{10, "telnet", "opac.campus.example", ":$year/", 100, judge.Alive, check.Reachable, "telnet-answer", check.Strong, "Welcome to the Online Public Access Catalog", ""},
	{4, "telnet", "melvyl.coast.example", ":$year/", 100, judge.Undetermined, check.Undetermined, "protocol-mismatch", check.None, "HTTP/1.1 400 Bad Request", ""},
	{7, "wais", "quake.think.example:210", "/$kind-$subject", 100, judge.Alive, check.Reachable, "wais-database", check.Strong, "", ""},
	{6, "prospero", "archie.rutland.example:1525", "//$subject/$kind-$n", 100, judge.Undetermined, check.Undetermined, "no-udp-reply", check.None, "", ""},
	{26, "info", "", "lccn/$n", 100, judge.NotCheckable, check.NotDereferenceable, "names-only", check.None, "", ""},
	{10, "mailto", "", "$subject$n@campus.example", 100, judge.NotCheckable, check.NotDereferenceable, "mail-address", check.None, "", ""},
	{6, "http", "intranet.campus.example", page, 100, judge.Restricted, check.Skipped, "private-address", check.None, "10.4.0.17", ""},
	{60, "https", "www.natlib.example", page, 30, judge.Dead, check.Gone, "http-404", check.Strong, "404 Not Found", ""},
	{70, "https", "repository.campus.example", "/handle/1887/$n", 0, judge.Alive, check.OK, "", check.Strong, "", ""},
	{50, "https", "doi.example", "/10.1000/s$year-$n", 0, judge.Alive, check.OK, "", check.Strong, "", ""},
	{40, "http", "www.w3.example", page, 60, judge.Restricted, check.Blocked, "http-403", check.None, "403 Forbidden", ""},
}

// smallSites are what becomes of sites that are linked seldom; most are well.
var smallSites = [12]host{
	{share: 30, state: judge.Dead, outcome: check.Gone, reason: "http-404", evidence: check.Strong, reply: "404 Not Found"},
	{share: 100, state: judge.Dead, outcome: check.Unreachable, reason: "dns-nxdomain", evidence: check.Strong, reply: "no such host"},
	{share: 85, state: judge.Moved, outcome: check.Moved, reason: "http-301", evidence: check.Strong, reply: "301 → 200"},
}

// chooseHost gives a host by its weight, or a small site.
func chooseHost(r *rand.Rand) host {
	n := r.IntN(totalWeight)
	for _, h := range hosts {
		if n -= h.weight; n < 0 {
			return h
		}
	}
	name := expand(r, "$subject-$kind") + strconv.Itoa(r.IntN(40)) + ".example"
	h := smallSites[(int(name[1])+len(name))%len(smallSites)]
	h.scheme, h.name, h.path, h.movedTo = "http", "www."+name, page, "https://"+name
	return h
}

var (
	subjects = strings.Fields("maps tides coins ballads herbaria letters charters diaries ledgers portraits bridges canals looms psalms almanacs comets grammars treaties voyages gardens")
	kinds    = strings.Fields("catalogue index survey handbook proceedings bibliography guide register papers bulletin")
	towns    = strings.Fields("Lisbon Tartu Bergen Ghent Cork Uppsala Kraków Leiden Trieste Valletta Aberdeen Basel Coimbra Dorpat Evora")
)

// expand fills in a pattern: $subject, $kind and $town by words, $year by one, any
// other name by a number.
func expand(r *rand.Rand, pattern string) string {
	return os.Expand(pattern, func(name string) string {
		switch name {
		case "subject":
			return subjects[r.IntN(len(subjects))]
		case "kind":
			return kinds[r.IntN(len(kinds))]
		case "town":
			return towns[r.IntN(len(towns))]
		case "year":
			return strconv.Itoa(1980 + r.IntN(30))
		}
		return strconv.Itoa(r.IntN(90_000))
	})
}
