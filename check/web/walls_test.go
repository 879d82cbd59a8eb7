package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/internal/lab"
)

// loginForm is a page that asks for a name and a password.
func loginForm(title, name, password, button string) http.HandlerFunc {
	return lab.Text("text/html; charset=utf-8", fmt.Sprintf(`<!DOCTYPE html><html><head><title>%s</title></head><body><div class="logo"><img src="/l.png" alt=""></div>
<form method="post" action="/do"><label for="u">%s</label><input id="u" name="u"><label for="p">%s</label><input id="p" name="p" type="password"><button>%s</button></form></body></html>`, title, name, password, button))
}

// loginAddresses are where sites send readers whom they do not know: SAML, Shibboleth, CAS, OAuth, ADFS and the
// like, and the pages that shops and libraries wrote themselves.
var loginAddresses = []string{
	"/login?next=/library/item", "/login/?next=%2Flibrary%2Fitem", "/accounts/login/?next=/library/item", "/user/login?destination=node/12", "/users/sign_in", "/signin?returnUrl=%2Flibrary",
	"/Account/Login?ReturnUrl=%2Flibrary%2Fitem", "/Account/LogOn?returnUrl=/library", "/wp-login.php?redirect_to=http%3A%2F%2Fsite%2Flibrary", "/login/index.php", "/index.php/login?back=library", "/member-login.aspx?url=/library",
	"/Shibboleth.sso/Login?target=cookie", "/Shibboleth.sso/DS?SAMLDS=1", "/sign-in?redirect=/library/item", "/c/portal/login?p_l_id=20", "/auth/login?r=1&next=/library", "/pages/login.jsf?url=/library", "/patron-login?service=library", "/anmelden?zurueck=/library",
	"/connexion?retour=/library", "/iniciar-sesion?volver=/library", "/_layouts/15/Authenticate.aspx?Source=%2Flibrary", "/log_in?return_to=/library",
	"http://idp.uni.edu/idp/profile/SAML2/Redirect/SSO?SAMLRequest=fZJ&RelayState=x", "http://wayf.uni.edu/WAYF?shire=x", "http://discovery.federation.org/WAYF?entityID=https%3A%2F%2Fsite", "http://cas.uni.edu/cas/login?service=http%3A%2F%2Fsite%2Flibrary",
	"http://secure.uni.edu/cas/login?service=http%3A%2F%2Fsite", "http://adfs.uni.edu/adfs/ls/?wa=wsignin1.0&wtrealm=urn:site", "http://sts.uni.edu/adfs/ls/?SAMLRequest=fZJ", "http://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1&redirect_uri=x",
	"http://accounts.google.com/ServiceLogin?continue=http://site", "http://auth.publisher.org/oauth/authorize?client_id=7&redirect_uri=http://site", "http://sso.publisher.org/auth/realms/main/protocol/openid-connect/auth?client_id=site", "http://login.openathens.net/auth/site?t=x",
	"http://id.elsevier.com/as/authorization.oauth2?client_id=SD", "http://proxy.lib.edu/login?url=http://site/library", "http://weblogin.uni.edu/?cosign-site", "http://publisher.okta.com/app/x/sso/saml",
}

// loginTitles are titles of login pages as they are found, by language.
var loginTitles = []string{
	"Sign in", "Log in | Annals Online", "Sign In - University Library", "Login", "Member Login :: The Society", "Log in to your account", "Please sign in to continue", "Central Authentication Service", // en
	"Anmelden", "Anmelden – Universitätsbibliothek", "Anmeldung", "Connexion", "Connexion à votre compte - Revue", "Identifiez-vous", "Iniciar sesión", "Inicio de sesión | Biblioteca", "Accedi", "Accedi - Biblioteca", // de fr es it
	"Iniciar sessão", "Entrar", "Inloggen", "Inloggen | Bibliotheek", "Logga in", "Logga in - Biblioteket", "Log ind", "Logg inn", "Kirjaudu sisään", "Kirjautuminen | Kirjasto", "Zaloguj się", "Logowanie", // pt nl sv da no fi pl
	"Přihlášení", "Přihlásit se", "Вход", "Войти — Библиотека", "Увійти", "Вхід", "Σύνδεση", "Είσοδος χρηστών", "Giriş Yap", "Oturum Aç", // cs ru uk el tr
	"登录", "用户登录 - 图书馆", "ログイン", "ログイン | 図書館", "로그인", "تسجيل الدخول", "התחברות", "כניסה למערכת", // zh ja ko ar he
}

const samlPost = `<html><head><title>Working...</title></head><body onload="document.forms[0].submit()"><noscript><p>Your browser runs no scripts: press Continue.</p></noscript>
<form method="post" action="https://idp.uni.edu/idp/profile/SAML2/POST/SSO"><input type="hidden" name="RelayState" value="x"><input type="hidden" name="SAMLRequest" value="PD94"><noscript><input type="submit" value="Continue"></noscript></form></body></html>`

// loginSites are a hundred sites that ask who you are before they show the page, and
// the link to it.
func loginSites() (lab.Web, []string) {
	web, links := lab.Web{}, []string(nil)
	add := func(site lab.Site) {
		host := fmt.Sprintf("s%d.site.org", len(links))
		web[host], links = site, append(links, "http://"+host+"/library/item")
	}
	for i, to := range loginAddresses {
		title := loginTitles[i%len(loginTitles)]
		if i%3 == 0 {
			title = "Annals Online" // many say no more
		}
		form := loginForm(title, "Name", "Password", "OK")
		if _, host, away := strings.Cut(to, "//"); away {
			host, _, _ = strings.Cut(host, "/")
			web[host] = lab.Site{"*": form, "/robots.txt": lab.NotFound}
			add(lab.Site{"*": lab.Redirect(302, to), "/robots.txt": lab.NotFound})
			continue
		}
		path, _, _ := strings.Cut(to, "?")
		add(lab.Site{"*": lab.Redirect([]int{301, 302, 303, 307}[i%4], to), path: form, "/robots.txt": lab.NotFound})
	}
	for _, title := range loginTitles {
		add(lab.Site{"*": loginForm(title, "Name", "Password", title), "/robots.txt": lab.NotFound})
	}
	add(lab.Site{"/library/item": lab.Text("text/html", samlPost)})
	add(lab.Site{"/library/item": lab.Text("text/html", strings.Replace(samlPost, "Working...", "Annals Online", 1))})
	add(lab.Site{"/library/item": lab.Redirect(302, "/login?next=/library/item"), "/login": lab.Status(403)})
	add(lab.Site{"/library/item": lab.Redirect(302, "/login?next=/library/item"), "/login": lab.Status(500)})
	add(lab.Site{"/library/item": lab.Redirect(302, "/login?next=/library/item"), "/login": front, "/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /login\n")})
	add(lab.Site{"/library/item": lab.Redirect(302, "/login?next=/library/item"), "/login": lab.Redirect(302, "/login?next=/library/item")})
	add(lab.Site{"/library/item": lab.Text("text/html", `<title>Sign in</title><div id="root"></div><script src="/app.js"></script>`)})
	add(lab.Site{"/library/item": lab.Text("text/html", `<title>Sign in - Annals</title><form><label>Mail</label><input type=email name=identifier><button>Next</button></form>`)})
	add(lab.Site{"/library/item": lab.Redirect(302, "/please/identify"), "/please/identify": loginForm("Annals Online", "Card number", "PIN", "Go on")})
	add(lab.Site{"/library/item": lab.Redirect(302, "/home/start"), "/home/start": loginForm("The Society of Observers", "Name", "Password", "Enter")})
	add(lab.Site{"*": lab.Text("text/html", `<title>Select your institution</title><form><input type=password name=p><select><option>Uni A<option>Uni B</select></form>`), "/robots.txt": lab.NotFound})
	add(lab.Site{"/library/item": lab.Redirect(302, "http://ds.federation.org/ds?entityID=https%3A%2F%2Fsp.site.org&return=https%3A%2F%2Fsp.site.org")})
	web["ds.federation.org"] = lab.Site{"/ds": lab.Page("Where are you from?", "Choose the organisation that knows you."), "/robots.txt": lab.NotFound}
	return web, links
}

// A login page is never taken for the page behind it, and is told on the look that
// meets it.
func TestLoginPages(t *testing.T) {
	web, links := loginSites()
	if len(links) != 100 {
		t.Fatalf("%d sites", len(links))
	}
	w, caught := serve(t, web, Options{}), 0
	for _, link := range links {
		got := w.probe(link)
		if got.Outcome == check.Auth && got.Reason == check.ReasonLoginPage {
			caught++
			continue
		}
		t.Logf("missed: %s: %s(%s) %q %s", link, got.Outcome, got.Reason, got.Reply, got.FinalURL)
		if got.Outcome == check.Gone || got.Outcome == check.Unreachable {
			t.Errorf("%s: a login page is a strike: %s(%s)", link, got.Outcome, got.Reason)
		}
	}
	t.Logf("login pages: %d of %d caught", caught, len(links))
	if caught < 95 {
		t.Errorf("%d of %d caught, want 95", caught, len(links))
	}
}

// loginBox is what many pages carry at their head.
const loginBox = `<header><nav><a href="/">Home</a> <a href="/login?next=/">Sign in</a></nav><form action="/login"><label>Name <input name=username></label><label>Password <input type="password" name=p></label><button>Log in</button></form></header>`

// prose is a text of its own for each page.
func prose(seed, words int) string {
	list := strings.Fields("volume observatory comets positions reduced equinox catalogue grist mill prices market bread county river bridge stone paper letter archive journal reader author index chapter table winter harbour ship log tide lamp glass field wheat")
	var b strings.Builder
	for i := range words {
		seed = (seed*1103515245 + 12345 + i) & 0x7fffffff
		b.WriteString(list[seed>>8%len(list)%len(list)])
		b.WriteByte(' ')
	}
	return b.String()
}

// ordinaryTitles are titles of pages that are what they say, near those of other pages
// in their words.
var ordinaryTitles = []string{
	"Annals of the Observatory", "A Sign in the Sky: comets in chronicles", "The Log in Your Eye: sermons of 1820", "Logging in the Northern Woods", "Identification of Grasses", "Bird Identification | County Museum", "Connexions: a journal of ideas", "Access to Archives",
	"Not Found in Translation", "Lost and Found", "Room 404, a novel", "HTTP 404 and other stories of the web", "The Captcha Wars", "Human Verification of Machine Translation", "Domain Names for Sale: a history of cybersquatting", "Passwords through the ages",
	"Authentication of Antique Furniture", "Entrance examinations", "Anmeldung zum Sommerfest der Bibliothek", "Inscription et connexion des réseaux de gaz", "The Institution and Its Readers", "Giriş: Osmanlı tarihi", "Вход Господень в Иерусалим", "Error analysis in surveying", "Checking your browser's history: a memoir",
}

// ordinarySites are two hundred pages that are there, each with a trait that a wall
// has too, and the links to them.
func ordinarySites() (lab.Web, []string) {
	web, links := lab.Web{}, []string(nil)
	for i := range 200 {
		title := ordinaryTitles[i%len(ordinaryTitles)]
		text := prose(i+1, []int{70, 160, 320, 900}[i/8%4])
		extra := ""
		switch i % 8 {
		case 0:
			extra = loginBox
		case 1:
			extra = `<script src="https://www.google.com/recaptcha/api.js"></script><form><textarea></textarea><div class="g-recaptcha"></div></form>`
		case 2:
			extra = `<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script><script src="/akam/13/2b1"></script>`
		case 3:
			extra = `<script src="https://x.token.awswaf.com/y/challenge.js"></script><script>window.__CF$cv$params={};var s="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>`
		case 4:
			extra = `<p>The page “not found” and a note: this domain is for sale, said the letter. Log in to comment.</p>` + loginBox
		case 5:
			extra = `<div id="modal" hidden><h2>Sign in</h2><form><input type=email name=email><input type=password name=pass></form></div><script src="/app.js"></script>`
		case 6:
			extra = `<form action="/cas/login?service=x" method=post><input type=hidden name=execution></form>`
		}
		body := fmt.Sprintf("<!DOCTYPE html><html><head><title>%s</title></head><body>%s<main><h1>%s</h1><p>%s</p></main></body></html>", title, extra, title, text)
		page := lab.Text("text/html; charset=utf-8", body)
		host := fmt.Sprintf("o%d.site.org", i)
		site, link := lab.Site{"/library/item": page}, "http://"+host+"/library/item"
		switch i % 10 {
		case 7: // asks for consent by a cookie, and comes back
			site["/library/item"] = func(w http.ResponseWriter, r *http.Request) {
				if _, err := r.Cookie("seen"); err == nil {
					page(w, r)
					return
				}
				lab.Redirect(302, "/login/guest?next=/library/item")(w, r)
			}
			site["/login/guest"] = func(w http.ResponseWriter, r *http.Request) {
				http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/"})
				lab.Redirect(302, "/library/item")(w, r)
			}
		case 8:
			site["/library/item"], site["/library/new/item"] = lab.Redirect(301, "/library/new/item"), page
		case 9: // the login page itself is what is linked
			site, link = lab.Site{"/login": loginForm("Sign in", "Name", "Password", "Sign in")}, "http://"+host+"/login"
		}
		web[host], links = site, append(links, link)
	}
	return web, links
}

// Pages that share a trait with walls are what they are.
func TestOrdinaryPages(t *testing.T) {
	web, links := ordinarySites()
	w, alarms := serve(t, web, Options{}), 0
	for _, link := range links {
		got := w.probe(link)
		if got.Outcome != check.OK && got.Outcome != check.Moved || len(got.Flags) > 0 {
			alarms++
			t.Logf("false alarm: %s: %s(%s) %q %v", link, got.Outcome, got.Reason, got.Title, got.Flags)
		}
	}
	t.Logf("ordinary pages: %d false alarms in %d", alarms, len(links))
	if len(links) != 200 || alarms > 1 {
		t.Errorf("%d false alarms in %d, want at most 1 in 200", alarms, len(links))
	}
}

// htmlPage is a page with a text of its own beside what makes it what it is.
func htmlPage(title, body string) http.HandlerFunc {
	return lab.Text("text/html; charset=utf-8", "<!DOCTYPE html><html><head><title>"+title+"</title></head><body>"+body+"</body></html>")
}

// Walls and errors that answer 200 beside honest siblings, OUTCOMES section 1.3, and
// pages near them that are what they say.
func TestWallsThatAnswer200(t *testing.T) {
	long := "<p>" + prose(7, 900)
	const shell = `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/static/main.js"></script>`
	everywhere := func(h http.HandlerFunc) lab.Site { return lab.Site{"*": h, "/robots.txt": lab.NotFound} }
	for _, r := range []row{
		{"Imperva", deepPage, at(htmlPage("", `<iframe src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=1">Request unsuccessful. Incapsula incident ID: 4-1</iframe>`)), check.Blocked, "challenge", ""},
		{"Imperva's script alone", deepPage, at(htmlPage("", `<script src="/_Incapsula_Resource?SWJIYLWA=719"></script>`)), check.Blocked, "challenge", ""},
		{"Imperva's script in a page", deepPage, at(htmlPage("Annals", `<script src="/_Incapsula_Resource?SWJIYLWA=719"></script>`+long)), check.OK, "http-200", ""},
		{"Cloudflare in German", deepPage, at(htmlPage("Nur einen Moment…", `<script>window._cf_chl_opt={};</script>`)), check.Blocked, "challenge", ""},
		{"Cloudflare's watcher in a page", deepPage, at(htmlPage("Annals", long+`<script>a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>`)), check.OK, "http-200", ""},
		{"Akamai", deepPage, at(htmlPage("", `<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/ak.js"></script>`)), check.Blocked, "challenge", ""},
		{"DataDome", deepPage, at(htmlPage("site.org", `<script>var dd={'host':'geo.captcha-delivery.com'}</script><p>Please enable JS and disable any ad blocker`)), check.Blocked, "challenge", ""},
		{"PerimeterX", deepPage, at(htmlPage("Access to this page has been denied", `<div id="px-captcha"></div>`)), check.Blocked, "challenge", ""},
		{"AWS WAF", deepPage, at(htmlPage("", `<script>window.gokuProps={"key":"x"}</script><script src="https://a.token.awswaf.com/challenge.js"></script>`)), check.Blocked, "challenge", ""},
		{"Anubis", deepPage, at(htmlPage("Making sure you&#39;re not a bot!", `<script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>`)), check.Blocked, "challenge", ""},
		{"a captcha of its own", deepPage, at(htmlPage("The Library", `<p>Please verify you are human.<form><img src="/captcha.png"><input name=a></form>`)), check.Blocked, "challenge", ""},
		{"a captcha for comments", deepPage, at(htmlPage("Annals", long+`<form><div class="g-recaptcha"></div><p>Verify you are human to comment.</form>`)), check.OK, "http-200", ""},
		{"a wall with 405", deepPage, lab.Site{"/a/b": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(405)
			fmt.Fprint(w, "<title>Human Verification</title><script>window.gokuProps={}</script>")
		}}, check.Blocked, "challenge", ""},

		{"an error page", deepPage, at(htmlPage("404 Not Found", "<h1>Not Found</h1>")), check.Suspect, "error-text", "error-title"},
		{"an error page in Czech", deepPage, at(htmlPage("Stránka nenalezena | Knihovna", "<h1>Bohužel</h1>"+prose(3, 60))), check.Suspect, "error-text", "error-title"},
		{"an error page in Chinese", deepPage, at(htmlPage("找不到页面 - 图书馆", "<h1>404</h1>")), check.Suspect, "error-text", "error-title"},
		{"a long page with such a title", deepPage, at(htmlPage("Not Found", long)), check.OK, "http-200", "error-title"},
		{"an article on errors", deepPage, at(htmlPage("HTTP 404 - Encyclopedia", long)), check.OK, "http-200", ""},
		{"the front page of a broken site", "http://site.org/", lab.Site{"/": htmlPage("Not Found", "<h1>Not Found</h1>")}, check.OK, "http-200", "error-title"},

		{"for sale", deepPage, at(htmlPage("site.org is for sale", "<h1>site.org</h1><p>Make an offer.")), check.Suspect, "parked", ""},
		{"for sale at Sedo", deepPage, at(htmlPage("site.org", `<a href="https://sedo.com/search/details/?domain=site.org">Buy now</a>`)), check.Suspect, "parked", ""},
		{"for sale at Dan", deepPage, at(htmlPage("site.org", `<a href="https://dan.com/buy-domain/site.org">Buy now</a>`)), check.Suspect, "parked", ""},
		{"for sale in German", deepPage, at(htmlPage("Willkommen", `Diese Domain steht zum Verkauf. Jetzt anfragen.`)), check.Suspect, "parked", ""},
		{"an article on domains", deepPage, at(htmlPage("Names", "<p>“This domain is for sale”, he read."+long)), check.OK, "http-200", ""},

		{"made by a script", deepPage, everywhere(htmlPage("The Archive", shell)), check.Reachable, "made-by-script", "made-by-script"},
		{"the front page of such a site", "http://site.org/", everywhere(htmlPage("The Archive", shell)), check.OK, "http-200", ""},
		{"a script, and an honest server", deepPage, at(htmlPage("The Archive", shell)), check.OK, "http-200", ""},
		{"a script, and an error", deepPage, everywhere(htmlPage("The Archive", "<h1>Sorry</h1><p>There is no such page here, nor was there ever one.<script src=x></script>")), check.Suspect, "soft-404", ""},

		{"no access", "http://academic.oup.com/a/b", at(htmlPage("Comets", "<p>You do not currently\n <i>have access</i> to this article."+long)), check.Auth, "no-access", ""},
		{"the same words elsewhere", deepPage, at(htmlPage("Comets", "<p>You do not currently have access to this article."+long)), check.OK, "http-200", ""},
		{"access", "http://academic.oup.com/a/b", at(htmlPage("Comets", long)), check.OK, "http-200", ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			w := serve(t, lab.Web{"site.org": r.site, "academic.oup.com": r.site}, Options{})
			got := w.probe(r.uri)
			if got.Outcome != r.outcome || got.Reason != r.reason || strings.Join(got.Flags, " ") != r.flags {
				t.Errorf("got %s(%s) %q %v, want %s(%s) [%s]", got.Outcome, got.Reason, got.Reply, got.Flags, r.outcome, r.reason, r.flags)
			}
			if want := check.New(got.Outcome, "", "").Evidence; got.Evidence != want {
				t.Errorf("evidence %s, want %s", got.Evidence, want)
			}
		})
	}
}

// Pages that are chosen by their query: a name that cannot exist is asked for in its
// place, once for each page and parameter. OUTCOMES section 1.3, soft-404.
func TestSoft404ByQuery(t *testing.T) {
	wiki := func(w http.ResponseWriter, r *http.Request) { // as DokuWiki does
		id := r.URL.Query().Get("id")
		switch id {
		case "":
			fine(w, r)
		case "wiki:syntax":
			htmlPage("wiki:syntax [The Wiki]", "<p>"+prose(5, 90))(w, r)
		default:
			htmlPage(id+" [The Wiki]", "<p>Trace: "+id+"<h1>This topic does not exist yet</h1><p>You have followed a link to a topic that does not exist yet. If permissions allow, you may create it by clicking on Create this page. "+prose(9, 60))(w, r)
		}
	}
	books := func(w http.ResponseWriter, r *http.Request) {
		if id := r.URL.Query().Get("bib"); id == "17" || id == "18" {
			htmlPage("Record "+id, "<p>"+prose(len(id)+int(id[1]), 80))(w, r)
		} else if id == "" {
			front(w, r)
		} else {
			htmlPage("Catalogue", "<p>No such record in this catalogue: "+id+". "+prose(2, 40))(w, r)
		}
	}
	honest := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("id") != "5" {
			lab.NotFound(w, r)
			return
		}
		fine(w, r)
	}
	broken := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("id") != "5" {
			lab.Status(500)(w, r)
			return
		}
		fine(w, r)
	}
	site := lab.Site{"/doku.php": wiki, "/opac.cgi": books, "/honest.php": honest, "/broken.php": broken, "/static.html": fine, "/find": lab.Page("Search", "Nothing was found in the catalogue."), "/": books}
	for _, r := range []struct {
		path, outcome string
		asked         int // requests, with that for the page
	}{
		{"/doku.php?id=nosuch", "suspect(soft-404)", 3},
		{"/doku.php?id=nosuch&PHPSESSID=4711&lang=en", "suspect(soft-404)", 3},
		{"/doku.php?id=wiki:syntax", "ok(http-200)", 2},
		{"/opac.cgi?bib=17", "ok(http-200)", 2},
		{"/opac.cgi?bib=4711", "suspect(soft-404)", 3},
		{"/opac.cgi?lib=a&bib=4711", "suspect(soft-404)", 3},
		{"/?bib=4711", "suspect(soft-404)", 3},
		{"/?bib=17", "ok(http-200)", 2},
		{"/honest.php?id=5", "ok(http-200)", 2},
		{"/broken.php?id=5", "ok(http-200)", 3}, // the directory is asked, and is honest
		{"/static.html?id=5", "ok(http-200)", 4},
		{"/static.html?utm_source=letter", "ok(http-200)", 2},
		{"/static.html?", "ok(http-200)", 2},
		{"/find?q=comets", "ok(http-200)", 2},
		{"/find?q=comets&page=2", "ok(http-200)", 2},
		{"/find?url=http%3A%2F%2Fa.org%2F", "ok(http-200)", 2},
	} {
		t.Run(r.path, func(t *testing.T) {
			w := serve(t, lab.Web{"site.org": site}, Options{})
			if got := w.probe("http://site.org" + r.path); fmt.Sprintf("%s(%s)", got.Outcome, got.Reason) != r.outcome {
				t.Errorf("%s(%s) %q, want %s\n%q", got.Outcome, got.Reason, got.Reply, r.outcome, w.requests())
			}
			got := w.requests()
			page, query, _ := strings.Cut(r.path, "?")
			if len(got) != r.asked || query != "" && slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, page) }) {
				t.Errorf("asked %q, want %d, and not the page without its query", got, r.asked)
			}
		})
	}
	t.Run("everything is one page", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"*": lab.Sorry, "/robots.txt": lab.NotFound}}, Options{})
		if got := w.probe("http://site.org/d/a.php?id=5"); got.Reason != check.ReasonSoft404 {
			t.Errorf("%s(%s) %q", got.Outcome, got.Reason, w.requests())
		}
	})
	t.Run("once a parameter", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": site}, Options{})
		for i := range 6 {
			w.probe(fmt.Sprintf("http://site.org/opac.cgi?bib=%d", 17+i))
			w.probe(fmt.Sprintf("http://site.org/doku.php?id=page%c", 'a'+i))
		}
		if got := w.requests(); len(got) != 12+4 {
			t.Errorf("asked %d: %q", len(got), got)
		}
	})
}
