package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/check/likeness"
)

// The two sets by which OUTCOMES section 1.5 is measured: sites on which another page
// took the place of the one that was linked, and ordinary sites that change. Their texts
// are made of the words below.

// tongue is what sentences of one language are made of: who, does, what, where.
type tongue struct{ who, does, what, where []string }

var english = tongue{
	split("the keeper|a visitor|our society|the old mill|every pupil|the second volume|a bronze bell|the harbour master|this catalogue|her father|the botanist|an early printer|the river|the council|a wooden bridge|the museum|one surveyor|the choir|a letter|the last baker"),
	split("describes|carries|was sold with|remembers|shows|follows|lost|measured|repaired|paid for|wrote about|borrowed|opens onto|collected|kept|painted|replaced|never saw|counted|brings"),
	split("the tides of the bay|eleven kinds of moss|a map of the parish|the price of rye|two silver cups|the song of whales|a clock without hands|letters from the colony|the roof of the abbey|a list of drowned sailors|the roots of the language|three maps of the moon|a garden of herbs|the wages of weavers|her collection of stamps|a school for the deaf|the salt works|an engine of brass|the feast of the patron|the plan of the canal"),
	split("near the northern shore|since the great fire|with the help of neighbours|in the winter of the flood|behind the town hall|for the use of scholars|at the end of the lane|under the new director|before the railway came|on the island|after long quarrels|in a dry cellar|by order of the bishop|during the fair|without any wages|at low water|through the whole war|on market days|as the rules demand|among other papers")}

var german = tongue{
	split("der Küster|eine Besucherin|unser Verein|die alte Mühle|jede Schülerin|der zweite Band|eine Glocke aus Bronze|der Hafenmeister|dieses Verzeichnis|ihr Vater|die Botanikerin|ein früher Drucker|der Fluss|der Rat|eine hölzerne Brücke|das Museum|ein Feldmesser|der Chor|ein Brief|der letzte Bäcker"),
	split("beschreibt|trägt|verkaufte|erinnert an|zeigt|sucht|verlor|vermaß|erneuerte|bezahlte|rühmt|entlieh|übergab|sammelte|behielt|malte|ersetzte|sah nie|zählte|bringt"),
	split("die Gezeiten der Bucht|elf Arten von Moos|eine Karte des Kirchspiels|den Preis des Roggens|zwei silberne Becher|den Gesang der Wale|eine Uhr ohne Zeiger|Briefe aus der Kolonie|das Dach der Abtei|eine Liste der Ertrunkenen|die Wurzeln der Sprache|drei Karten des Mondes|einen Garten voller Kräuter|den Lohn der Weber|ihre Sammlung von Marken|eine Schule für Gehörlose|die Saline am Berg|eine Maschine aus Messing|das Fest der Patronin|den Plan des Kanals"),
	split("am nördlichen Ufer|seit dem großen Brand|mit Hilfe der Nachbarn|im Winter der Flut|hinter dem Rathaus|zum Gebrauch der Gelehrten|am Ende der Gasse|unter der neuen Leitung|vor dem Bau der Bahn|auf der Insel|nach langem Streit|in einem trockenen Keller|auf Befehl des Bischofs|während der Messe|ohne jeden Lohn|bei Niedrigwasser|durch den ganzen Krieg|an Markttagen|wie es die Regeln verlangen|neben anderen Papieren")}

var french = tongue{
	split("le gardien|une visiteuse|notre société|le vieux moulin|chaque élève|le second tome|une cloche de bronze|le maître du port|ce catalogue|son père|la botaniste|un premier imprimeur|la rivière|le conseil|un pont de bois|le musée|un arpenteur|la chorale|une lettre|le dernier boulanger"),
	split("décrit|porte|vendit|rappelle|montre|suit|perdit|mesura|répara|paya|loue|emprunta|remit|rassembla|garda|peignit|remplaça|ne vit jamais|compta|apporte"),
	split("les marées de la baie|onze espèces de mousse|une carte de la paroisse|le prix du seigle|deux coupes d'argent|le chant des baleines|une horloge sans aiguilles|des lettres de la colonie|le toit de l'abbaye|une liste de marins noyés|les racines de la langue|trois cartes de la lune|un jardin d'herbes|le salaire des tisserands|sa collection de timbres|une école pour les sourds|les salines de la côte|une machine de laiton|la fête de la patronne|le plan du canal"),
	split("près du rivage nord|depuis le grand incendie|avec l'aide des voisins|pendant l'hiver de la crue|derrière la mairie|à l'usage des savants|au bout de la ruelle|sous le nouveau directeur|avant le chemin de fer|sur l'île|après de longues querelles|dans une cave sèche|par ordre de l'évêque|durant la foire|sans aucun salaire|à marée basse|pendant toute la guerre|les jours de marché|comme le veut la règle|parmi d'autres papiers")}

// casino is what those write who take over a domain, in the languages of the above.
var casinos = []tongue{
	{split("the casino|your lucky slot|a welcome bonus|every spin|our live dealer|the jackpot|a mobile player|this bookmaker"), split("pays|gives you|wins|doubles|unlocks|offers|beats|starts with"),
		split("two hundred free spins|the fastest payouts|a deposit bonus of the week|real money prizes|roulette and blackjack|the best odds online|a loyalty club|crash games without limits"), split("tonight only|with no deposit needed|after a quick registration|on any phone|in the best casino of the year|for new players|around the clock|without verification")},
	{split("das Casino|dein Automat|ein Willkommensbonus|jede Drehung|unser Live-Dealer|der Jackpot|jeder Spieler|dieser Buchmacher"), split("zahlt|schenkt dir|gewinnt|verdoppelt|bietet|schlägt|beginnt mit|sichert"),
		split("zweihundert Freispiele|die schnellsten Auszahlungen|einen Bonus auf die Einzahlung|echte Geldpreise|Roulette und Blackjack|die besten Quoten im Netz|einen Treueklub|Spiele ohne Limit"), split("nur heute Nacht|ohne Einzahlung|nach kurzer Anmeldung|auf jedem Handy|im besten Casino des Jahres|für neue Spieler|rund um die Uhr|ohne Prüfung")},
	{split("le casino|ta machine à sous|un bonus de bienvenue|chaque tour|notre croupier|le jackpot|tout joueur|ce bookmaker"), split("paie|t'offre|gagne|double|propose|bat|commence par|garantit"),
		split("deux cents tours gratuits|les retraits les plus rapides|un bonus sur ton dépôt|de vrais gains|la roulette et le blackjack|les meilleures cotes|un club de fidélité|des jeux sans limite"), split("cette nuit seulement|sans dépôt|après une inscription rapide|sur mobile|dans le meilleur casino de l'année|pour les nouveaux|jour et nuit|sans vérification")},
}

func split(s string) []string { return strings.Split(s, "|") }

// paragraphs writes n paragraphs of some sentences.
func (p tongue) paragraphs(r *rand.Rand, n int) (list []string) {
	one := func(words []string) string { return words[r.IntN(len(words))] }
	for range n {
		var b strings.Builder
		for range 3 + r.IntN(3) {
			s := one(p.who) + " " + one(p.does) + " " + one(p.what) + " " + one(p.where)
			fmt.Fprintf(&b, "%s%s. ", strings.ToUpper(s[:1]), s[1:])
		}
		list = append(list, b.String())
	}
	return list
}

// sitePage is a page in one of several layouts.
type sitePage struct {
	title, base string // base is the site's own name
	layout      int
	menu        []string
	top, text   []string // paragraphs before the page's own, and these
	bottom      string
}

const layouts = 6

func (p *sitePage) html() string {
	paragraphs := func(list []string, open, end string) (s string) {
		for _, one := range list {
			s += open + one + end
		}
		return s
	}
	links := func(open, end string) (s string) {
		for i, one := range p.menu {
			s += fmt.Sprintf(`%s<a href="/%d">%s</a>%s`, open, i, one, end)
		}
		return s
	}
	top, text := paragraphs(p.top, "<div>", "</div>\n"), ""
	switch p.layout % layouts {
	case 0:
		text = "<ul>" + links("<li>", "</li>") + "</ul><h1>" + p.title + "</h1>" + top + paragraphs(p.text, "<p>", "</p>\n") + "<hr><address>" + p.bottom + "</address>"
	case 1:
		text = "<nav>" + links("", " | ") + "</nav><main><article><h2>" + p.title + "</h2>" + top + paragraphs(p.text, "<p class=t>", "</p>\n") + "</article></main><footer>" + p.bottom + "</footer>"
	case 2: // of the nineties
		text = "<CENTER><H1>" + p.title + "</H1></CENTER><TABLE><TR><TD>" + links("", "<BR>") + "<TD>" + top + paragraphs(p.text, "<P>", "") + "</TABLE><FONT SIZE=-1>" + p.bottom + "</FONT>"
	case 3:
		text = top + "<b>" + p.title + "</b><br><br>" + paragraphs(p.text, "", "<br><br>\n") + links("[", "]") + "<br>" + p.bottom
	case 4:
		text = "<div id=wrap><div class=head>" + p.base + "</div><div class=menu>" + links("<span>", "</span>") + "</div><div class=body>" + top + paragraphs(p.text, "<div><span>", "</span></div>\n") + "</div><div class=foot>" + p.bottom + "</div></div>"
	default:
		text = "<header><h1>" + p.base + "</h1></header>" + links("<div>", "</div>") + "<section><h1>" + p.title + "</h1>" + top + "<blockquote>" + paragraphs(p.text, "<p>", "") + "</blockquote></section><aside>" + p.bottom + "</aside>"
	}
	return "<!DOCTYPE html><html><head><title>" + p.title + " | " + p.base + "</title></head><body>" + text + "</body></html>"
}

// randomPage makes a page of a site.
func randomPage(r *rand.Rand, lang tongue) *sitePage {
	return &sitePage{title: pageTitle(r, lang), base: "Archive of " + lang.who[r.IntN(20)], layout: r.IntN(layouts),
		menu: split("Home|About us|Opening hours|Collections|Contact|Search the catalogue")[:3+r.IntN(4)], text: lang.paragraphs(r, 1+r.IntN(6)),
		bottom: fmt.Sprintf("© 20%02d The trustees. Last changed 1%d March. Visitors: %d", r.IntN(26), r.IntN(9), r.IntN(90000))}
}

func pageTitle(r *rand.Rand, lang tongue) string {
	return lang.what[r.IntN(20)] + ", " + lang.where[r.IntN(20)]
}

// seen is an answer as a look has it.
type seen struct {
	body, kind string
	site       string // where redirects led; "": the link's own site
}

// lookAt is what the prober hands on of an answer.
func lookAt(s seen) (likeness.Look, string) {
	a := answer{status: 200, body: s.body, header: map[string][]string{"Content-Type": {s.kind}}}
	return a.page().look.At(s.site), a.page().title
}

const asUTF8 = "text/html; charset=utf-8"

// history is what a site answered, look by look, and how many of the looks came before
// the other page took its place.
type history struct {
	name  string
	looks []seen
	old   int
}

// toldAt is the first look, counted from 1, at which the page is not taken for the one
// that was linked; 0: none.
func (h *history) toldAt() int {
	var m likeness.Memory
	at := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)
	for i, s := range h.looks {
		look, title := lookAt(s)
		m = m.After(look, title, at)
		if m.Drifted() {
			return i + 1
		}
		at = at.AddDate(0, 0, 7)
	}
	return 0
}

var languages = []tongue{english, german, french}

// hijacked makes the sites on which another page took the place of the one linked.
func hijacked() (all []history) {
	for i := range 126 {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		lang := languages[i%3]
		p := randomPage(r, lang)
		h := history{old: 5 + r.IntN(3)}
		before := *p
		for range h.old { // what ordinary pages do meanwhile
			p.bottom = fmt.Sprintf("© The trustees. Visitors: %d", r.IntN(90000))
			h.looks = append(h.looks, seen{p.html(), asUTF8, ""})
		}
		var another func() seen
		spam := func() *sitePage {
			c := casinos[r.IntN(3)]
			return &sitePage{title: "Casino " + c.what[r.IntN(8)], base: "Spin", layout: r.IntN(layouts), menu: split("Slots|Bonus|Login"), text: c.paragraphs(r, 2+r.IntN(8)), bottom: "18+"}
		}
		switch i / 3 % 14 {
		case 0, 1:
			c := spam()
			h.name, another = "casino", func() seen { return seen{c.html(), asUTF8, ""} }
		case 2:
			h.name, another = "casino, new each look", func() seen { return seen{spam().html(), asUTF8, ""} }
		case 3:
			c := *spam()
			c.title, c.base = before.title, before.base
			h.name, another = "casino under the old title", func() seen { return seen{c.html(), asUTF8, ""} }
		case 4, 5:
			c := before
			c.text = lang.paragraphs(r, 1+r.IntN(6))
			h.name, another = "another text in the same template", func() seen { return seen{c.html(), asUTF8, ""} }
		case 6:
			c := before
			c.text = []string{"This document was withdrawn by its authors."}
			h.name, another = "withdrawn", func() seen { return seen{c.html(), asUTF8, ""} }
		case 7:
			c := seen{"<html><head><title>" + before.base + "</title></head><body><h1>Coming soon</h1><p>We are building something new. Please come back later.</body></html>", asUTF8, ""}
			h.name, another = "coming soon", func() seen { return c }
		case 8:
			c := &sitePage{title: "Shoes and bags", base: "Outlet", layout: r.IntN(layouts), menu: split("Women|Men|Sale|Cart"), text: split("Leather boots in brown and black, now cheaper than ever before.|Free delivery on all orders over fifty pounds.|Handbags for the summer, with straps of real leather."), bottom: "Returns"}
			h.name, another = "shop", func() seen { return seen{c.html(), asUTF8, ""} }
		case 9:
			c := seen{"<html><head><title>Domain</title></head><body><p>Buy this name. Make an offer to the broker now.</p><ul><li><a href=/1>Cheap flights</a><li><a href=/2>Insurance</a><li><a href=/3>Loans</a></ul></body></html>", asUTF8, ""}
			h.name, another = "like a parked domain", func() seen { return c }
		case 10:
			c := spam()
			h.looks, h.old = h.looks[:1+r.IntN(5)], 0
			h.old = len(h.looks)
			h.name, another = "redirect to a casino at another site", func() seen { return seen{c.html(), asUTF8, "casino.example"} }
		case 11:
			h.looks = h.looks[:1+r.IntN(5)]
			h.old = len(h.looks)
			h.name, another = "redirects to one site after the other", func() seen { return seen{spam().html(), asUTF8, fmt.Sprintf("win%d.example", r.IntN(9))} }
		case 12:
			c := randomPage(r, languages[(i+1)%3])
			h.name, another = "a page of another owner in another language", func() seen { return seen{c.html(), asUTF8, ""} }
		default:
			c := seen{"Nothing to see here. This server was set up by your provider and has no content yet.", "text/plain", ""}
			h.name, another = "default page of a server", func() seen { return c }
		}
		for range 4 {
			h.looks = append(h.looks, another())
		}
		all = append(all, h)
	}
	return all
}

// ordinary makes sites that change as sites do.
func ordinary() (all []history) {
	for i := range 240 {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		lang := languages[i%3]
		p := randomPage(r, lang)
		h := history{}
		const looks = 10
		stories := lang.paragraphs(r, 60)
		comments := lang.paragraphs(r, 40)
		own := slices.Clone(p.text)
		for n := range looks {
			kind := asUTF8
			late := n >= 5
			switch i / 3 % 20 {
			case 0:
				h.name, p.text = "front page of news", stories[n*6:n*6+5]
			case 1:
				h.name, p.text = "front page of news with a lasting introduction", append(slices.Clone(own[:1]), stories[n*5:n*5+5]...)
			case 2:
				h.name, p.text = "list in which two of eight rotate", stories[n*2:n*2+8]
			case 3:
				h.name, p.text = "list in which three of nine rotate", stories[n*3:n*3+9]
			case 4:
				h.name, p.text = "list in which each look has four of eight anew", stories[n*4:n*4+8]
			case 5:
				h.name, p.bottom = "counter and date", fmt.Sprintf("You are visitor %d since %d May %d. Page made on 2026-%02d-1%d at 12:%02d", r.IntN(1e6), r.IntN(28), 1990+n, n, n%9, n)
			case 6:
				h.name, p.text = "blog with comments", append(slices.Clone(own), comments[:min(3*n, 30)]...)
			case 7:
				h.name = "redesign"
				if late {
					p.layout, p.base, p.menu = i+1, "The new "+p.base, split("Start|Visit|Learn|Support us|Shop|News|Jobs|Press")
				}
			case 8:
				h.name = "twice as long"
				if late {
					p.text = append(slices.Clone(own), stories[:len(own)]...)
				}
			case 9:
				h.name = "reordered"
				p.text = slices.Clone(own)
				r.Shuffle(len(own), func(a, b int) { p.text[a], p.text[b] = p.text[b], p.text[a] })
			case 10:
				h.name = "another charset"
				if late {
					kind = "text/html; charset=iso-8859-1"
				}
			case 11:
				h.name = "consent notice"
				if late {
					p.top = []string{"We and our 812 partners store and read information on a device, such as cookies, and process personal data. You may accept or refuse all, or choose for each purpose. Your choice holds for this site alone.", "Accept all", "Refuse all"}
				}
			case 12:
				h.name, p.menu = "menus of a test", [][]string{split("Home|Visit|Shop"), split("Start|What is on|Give|Contact|Deutsch|Français")}[r.IntN(2)]
			case 13:
				h.name = "calendar"
				p.text = nil
				for d := range 12 {
					p.text = append(p.text, fmt.Sprintf("%d.%d. %s", n*3+d, n+1, stories[(n*3+d)%60]))
				}
			case 14:
				h.name = "maintenance for one look"
				if p.text = own; n == 6 {
					p.text = []string{"Down for maintenance. We are back soon."}
				}
			case 15:
				h.name = "a fifth is written anew"
				if late {
					p.text = slices.Clone(own)
					p.text[0] = lang.paragraphs(r, 1)[0]
					if len(own) < 4 {
						p.text = append(p.text, own[0])
					}
				}
			case 16:
				h.name, p.title = "the title counts messages", fmt.Sprintf("(%d) %s", n, "Forum of the mill")
			case 17:
				h.name = "a quote of the day and the weather"
				p.top = stories[n*3 : n*3+1]
				p.bottom = fmt.Sprintf("Today %d degrees, %s", n*3, lang.where[n])
			case 18:
				h.name = "https, advertisements and a banner for donations"
				if late {
					p.top = comments[n : n+2]
				}
			default:
				h.name = "blog whose first page shows the last five posts, one a look"
				p.text = stories[n : n+5]
			}
			body := p.html()
			if strings.Contains(kind, "8859") {
				body, _ = charmap.Windows1252.NewEncoder().String(body)
			}
			h.looks = append(h.looks, seen{body, kind, ""})
		}
		all = append(all, h)
	}
	return all
}

// TestDriftIsTold holds the figures that are wanted: of 100 sites whose page became
// another, 95 are told by the third look at it, and of 200 ordinary ones at most one.
func TestDriftIsTold(t *testing.T) {
	caught, sites := 0, hijacked()
	for _, h := range sites {
		switch at := h.toldAt(); {
		case at == h.old+likeness.ToldFrom:
			caught++
		case at > 0 && at <= h.old:
			t.Errorf("%s: told at look %d, before it was another", h.name, at)
		default:
			t.Logf("missed: %s, told at look %d, another since %d", h.name, at, h.old+1)
		}
	}
	wrong, quiet := 0, ordinary()
	for _, h := range quiet {
		if at := h.toldAt(); at > 0 {
			wrong++
			t.Logf("false alarm: %s, at look %d", h.name, at)
		}
	}
	t.Logf("%d of %d sites with another page are told by the third look at it; %d false alarms on %d ordinary sites", caught, len(sites), wrong, len(quiet))
	if len(sites) < 100 || 100*caught < 95*len(sites) {
		t.Errorf("%d of %d are told, want 95 of 100", caught, len(sites))
	}
	if len(quiet) < 200 || wrong*200 > len(quiet) {
		t.Errorf("%d false alarms in %d, want at most 1 in 200", wrong, len(quiet))
	}
}

// What the old page was is known as long as it is not back; then the doubt ends.
func TestDriftEndsWhenTheTextIsBack(t *testing.T) {
	h := hijacked()[0]
	h.looks = append(h.looks, h.looks[0])
	var m likeness.Memory
	at := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)
	for i, s := range h.looks {
		look, title := lookAt(s)
		if m = m.After(look, title, at); m.Drifted() != (i >= h.old+2 && i < len(h.looks)-1) {
			t.Fatalf("look %d: %+v", i+1, m)
		}
		if m.Drifted() && (!strings.HasPrefix(h.looks[0].body[strings.Index(h.looks[0].body, "<title>")+7:], m.Title) || !m.Seen.Equal(time.Date(2026, 1, 1+7*(h.old-1), 2, 0, 0, 0, time.UTC))) {
			t.Errorf("it was %q until %v", m.Title, m.Seen)
		}
		at = at.AddDate(0, 0, 7)
	}
}

// Looks of one night count once: a page that is away for an hour is not another.
func TestLooksOfOneNightCountOnce(t *testing.T) {
	h := hijacked()[0]
	var m likeness.Memory
	at := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)
	for i, s := range h.looks {
		look, title := lookAt(s)
		m = m.After(look, title, at)
		if i < h.old {
			at = at.AddDate(0, 0, 1)
		} else {
			at = at.Add(time.Hour)
		}
	}
	if m.Drifted() || m.Others != 1 {
		t.Errorf("%+v", m)
	}
}
