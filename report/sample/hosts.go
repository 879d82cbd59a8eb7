package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
)

// fate is what became of a host: what most of its links answer.
type fate struct {
	state    judge.State
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
	reply    string
	move     string // the prefix its links moved to
	share    int    // percent of its links that share the fate; the rest are well
}

// host is a row of the invented internet; weight is how often it is linked.
type host struct {
	weight int
	scheme string
	name   string
	paths  func(*rand.Rand) string
	fate   fate
}

var (
	fine      = fate{judge.Alive, check.OK, "", check.Strong, "", "", 100}
	noName    = fate{judge.Dead, check.Unreachable, "dns-nxdomain", check.Strong, "no such host", "", 100}
	noPage    = fate{judge.Dead, check.Gone, "http-404", check.Strong, "404 Not Found", "", 30}
	goneFor   = fate{judge.Dead, check.Gone, "http-410", check.Strong, "410 Gone", "", 80}
	noFile    = fate{judge.Dead, check.Gone, "ftp-550", check.Strong, "550 No such file or directory.", "", 70}
	noItem    = fate{judge.Dead, check.Gone, "gopher-error-item", check.Strong, "3 '/archive' does not exist (no handler found)", "", 60}
	expired   = fate{judge.Dead, check.Gone, "nntp-430", check.Strong, "430 No such article", "", 90}
	noRecord  = fate{judge.Dead, check.Gone, "z3950-no-hit", check.Strong, "searchStatus true, resultCount 0", "", 30}
	twoRecs   = fate{judge.Suspect, check.Suspect, "not-unique", check.Weak, "searchStatus true, resultCount 3", "", 40}
	noService = fate{judge.Dead, check.Unreachable, "tcp-refused", check.Weak, "connection refused", "", 100}
	robotWall = fate{judge.Restricted, check.Blocked, "challenge", check.None, "403 Forbidden, cf-mitigated: challenge", "", 96}
	forbidden = fate{judge.Restricted, check.Blocked, "http-403", check.None, "403 Forbidden", "", 60}
	login     = fate{judge.Restricted, check.Auth, "http-401", check.None, "401 Unauthorized", "", 100}
	softPage  = fate{judge.Suspect, check.Suspect, "soft-404", check.Weak, "200 OK, as for /qjxwvzkhgtrmbnfdlpcysauoe", "", 45}
	sold      = fate{judge.Suspect, check.Suspect, "parked", check.Weak, "200 OK, page of a domain seller", "", 100}
	busy      = fate{judge.Failing, check.Temporary, "http-503", check.Weak, "503 Service Unavailable", "", 80}
	silent    = fate{judge.Undetermined, check.Undetermined, "no-udp-reply", check.None, "", "", 100}
	otherKind = fate{judge.Undetermined, check.Undetermined, "protocol-mismatch", check.None, "HTTP/1.1 400 Bad Request", "", 100}
	hostUp    = fate{judge.Alive, check.Reachable, "telnet-answer", check.Strong, "Welcome to the Online Public Access Catalog", "", 100}
	waisUp    = fate{judge.Alive, check.Reachable, "wais-database", check.Strong, "", "", 100}
	timedOut  = fate{judge.Failing, check.Temporary, "timeout", check.Weak, "", "", 100}
	newsOnly  = fate{judge.NotCheckable, check.NotDereferenceable, "no-news-server", check.None, "", "", 100}
	nameOnly  = fate{judge.NotCheckable, check.NotDereferenceable, "names-only", check.None, "", "", 100}
	mailOnly  = fate{judge.NotCheckable, check.NotDereferenceable, "mail-address", check.None, "", "", 100}
	skipped   = fate{judge.NotCheckable, check.Skipped, "private-address", check.None, "10.4.0.17", "", 100}
)

func moved(to string) fate {
	return fate{judge.Moved, check.Moved, "http-301", check.Strong, "301 → 200", to, 85}
}

// hosts lists the invented internet. What the weights leave over goes to small sites.
func hosts() []host {
	return []host{
		{40, "http", "www.standards.example", standards, moved("https://groups.standards.example")},
		{26, "http", "lcweb.natlib.example", pages, moved("https://www.natlib.example/archive")},
		{30, "gopher", "gopher.tc.northlake.example", gopherPaths, noName},
		{22, "gopher", "gopher.micro.northlake.example", gopherPaths, noItem},
		{24, "ftp", "ftp.natlib.example", ftpPaths, noFile},
		{12, "ftp", "ftp.harbour.example", ftpPaths, timedOut},
		{14, "ftp", "nic.funet.example", ftpPaths, fine},
		{44, "https", "journals.vendor.example", articles, robotWall},
		{14, "https", "ezproxy.campus.example", articles, login},
		{18, "http", "members.homepages.example", pages, goneFor},
		{16, "http", "www.mapworks.example", pages, softPage},
		{9, "http", "www.oldpublisher.example", pages, sold},
		{12, "http", "info.observatory.example", pages, busy},
		{10, "http", "sunsite.coast.example", pages, noService},
		{18, "z39.50r", "cnidr.example:2100", z3950Paths, noRecord},
		{6, "z39.50s", "z3950.natlib.example:210", z3950Paths, twoRecs},
		{20, "news", "", articleIDs, newsOnly},
		{14, "nntp", "news.archive.example", nntpPaths, expired},
		{10, "telnet", "opac.campus.example", noPath, hostUp},
		{4, "telnet", "melvyl.coast.example", noPath, otherKind},
		{7, "wais", "quake.think.example:210", waisPaths, waisUp},
		{6, "prospero", "archie.rutland.example:1525", prosperoPaths, silent},
		{26, "info", "", infoIDs, nameOnly},
		{10, "mailto", "", mailboxes, mailOnly},
		{6, "http", "intranet.campus.example", pages, skipped},
		{60, "https", "www.natlib.example", pages, noPage},
		{70, "https", "repository.campus.example", handles, fine},
		{50, "https", "doi.example", dois, fine},
		{40, "http", "www.w3.example", pages, forbidden},
	}
}

var (
	subjects = strings.Fields("maps tides coins ballads herbaria letters charters diaries ledgers portraits bridges canals looms psalms almanacs comets grammars treaties voyages gardens")
	kinds    = strings.Fields("catalogue index survey handbook proceedings bibliography guide register papers bulletin")
	towns    = strings.Fields("Lisbon Tartu Bergen Ghent Cork Uppsala Kraków Leiden Trieste Valletta Aberdeen Basel Coimbra Dorpat Evora")
)

// span is a number from one on.
type span struct{ from, size int }

// pattern makes paths of a format. A part that is a list stands for one of its
// words, a number for one below it, a span for one within it.
func pattern(format string, parts ...any) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		args := make([]any, len(parts))
		for i, part := range parts {
			switch part := part.(type) {
			case []string:
				args[i] = pick(r, part)
			case int:
				args[i] = r.IntN(part)
			case span:
				args[i] = part.from + r.IntN(part.size)
			}
		}
		return fmt.Sprintf(format, args...)
	}
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

var (
	pages         = pattern("/%s/%s/%s%d.html", subjects, kinds, subjects, 90000)
	standards     = pattern("/standards/resources/Z39-%d-%d.pdf", span{2, 97}, span{1980, 30})
	articles      = pattern("/article/%dIcar%d", span{1990, 34}, 99999)
	handles       = pattern("/handle/1887/%d", 999999)
	dois          = pattern("/10.1000/s%d-%d", span{1000, 9000}, 999999)
	gopherPaths   = pattern("/00/%s%%20about%%20%s/%s-%d.txt", kinds, subjects, towns[:2], 9999)
	ftpPaths      = pattern("/pub/%s/%s/draft-%02d-%04d.txt", subjects, kinds, 40, 9999)
	z3950Paths    = pattern("/tmf?bkirch_rules__a%d;esn=f;rs=marc", 99999)
	articleIDs    = pattern("%dMar%d.%06d.%d@vms.campus.example", span{1989, 9}, span{1, 28}, 999999, 9999)
	nntpPaths     = pattern("/comp.infosystems.%s/%d", subjects, 99999)
	waisPaths     = pattern("/%s-%s", kinds, subjects)
	prosperoPaths = pattern("//%s/%s-%d", subjects, kinds, 999)
	infoIDs       = pattern("%s/%d", []string{"lccn", "oclcnum", "sid", "bibcode"}, span{80000000, 9999999})
	mailboxes     = pattern("%s%d@campus.example", subjects, 999)
	noPath        = pattern(":%d/", span{23, 4000})
)
