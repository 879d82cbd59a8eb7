package web

import (
	"fmt"
	"net/http"
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

// LoginPages: a login page is never taken for the page behind it, and is told on the
// look that meets it. Issue by issue the kinds are those that servers send.
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
