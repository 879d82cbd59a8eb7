package secret

import (
	"io"
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for _, c := range [][2]string{
		{"ftp://u:secret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:@h.dom/f", "ftp://u:@h.dom/f"},
		{"ftp://u:@p@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u@h.dom/f", "ftp://u@h.dom/f"},
		{"ftp://u:a:b@c@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se/cret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se cret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"//u:p@h/", "//u:***@h/"},
		{"http://h.dom:80/a@b", "http://h.dom:80/a@b"},
		{"http://[::1]:80/a@b", "http://[::1]:80/a@b"},
		{"http://p.dom/ftp://u:p@h/", "http://p.dom/ftp://u:***@h/"},
		{"mailto:a@b.c", "mailto:a@b.c"},
		{"bad ftp://u:p@h", "bad ftp://u:***@h"},
		{"news:a@b.c", "news:a@b.c"},
		{"ftp:u:p@h/x", "ftp:u:***@h/x"},
		{"http:/u:p@h/x", "http:/u:***@h/x"},
		{`http:\\u:p@h`, `http:\\u:***@h`},
		{`x:u:p@h`, `x:u:***@h`},
		{`x:/u:p@h`, `x:/u:***@h`},
		{`x:///u:p@h`, `x:///u:***@h`},
		{`jar:http://u:p@h/a.jar!/x`, `jar:http://u:***@h/a.jar!/x`},
		{`http%3A%2F%2Fu%3Ap%40h`, `http%3A%2F%2Fu%3A***%40h`},
		{`http%253A%252F%252Fu%253Ap%2540h`, `http%253A%252F%252Fu%253A***%2540h`},
		{`http://a/?url=ftp%3A%2F%2Fu%3Ap%40h`, `http://a/?url=ftp%3A%2F%2Fu%3A***%40h`},
		{`http:\/\/u:p@h`, `http:\/\/u:***@h`},
		{`http://u&#58;p&#x40;h`, `http://u&#58;***&#x40;h`},
		{`https://medium.com/@user`, `https://medium.com/@user`},
		{`https://host:8080/x@y`, `https://host:8080/x@y`},
		{`file:///C:/x@y`, `file:///C:/x@y`},
		{`http://CORP\ann:p@h`, `http://CORP\ann:***@h`},
		{`http://u:1234@h`, `http://u:***@h`},
		{`git@host:path/x@y`, `git@host:path/x@y`},
		{`http://ann@corp.example:p@h/`, `http://ann@corp.example:***@h/`},
		{`http://"a"<n>:p@h/`, `http://"a"<n>:***@h/`},
		{`http://an%20n:p@h/`, `http://an%20n:***@h/`},
		{`http://DOM%2Fann:p@h/`, `http://DOM%2Fann:***@h/`},
		{`http%3A%2F%2Fan%2523n%3Ap%40h`, `http%3A%2F%2Fan%2523n%3A***%40h`},
		{`http%3A%2F%2Fh%2Fx%3Ay%40z`, `http%3A%2F%2Fh%2Fx%3A***%40z`},
		{"http://h/?u=ann:word@h", "http://h/?u=ann:***@h"},
		{"http://h/~ann:wo/rd@h#x@y", "http://h/~ann:***@y"},
		{"http://h:80/?t=12:30&u=ann:word@h", "http://h:80/?t=12:30&u=ann:***@h"},
		{"http://h/#ann:1234@h", "http://h/#ann:***@h"},
		{"http://h/?url=http://a.example/@user", "http://h/?url=http://a.example/@user"},
		{"http://archive.example/1999/http:/a.example/@user", "http://archive.example/1999/http:/a.example/@user"},
		{"http://h/?to=mailto:bob@x", "http://h/?to=mailto:bob@x"},
		{"mailto:bob@x?Subject=Re%3A%20hello&In-Reply-To=%3Ca%40b%3E", "mailto:bob@x?Subject=Re%3A%20hello&In-Reply-To=%3Ca%40b%3E"},
		{"mailto:bob@x?body=see%20ann:word@h", "mailto:bob@x?body=see%20ann:***@h"},
		{"x:a/b?ann:word@h", "x:a/b?ann:***@h"},
		{"http://an n:word@h/", "http://an n:***@h/"},
		{"http:// ann:word@h/", "http:// ann:***@h/"},
		{"http://an\nn:word@h/", "http://an\nn:***@h/"},
		{`http://u&#58p&#64h`, `http://u&#58***&#64h`},
		{`http://u&amp;#58;p&amp;#x40;h`, `http://u&amp;#58;***&amp;#x40;h`},
		{`http://u&amp;colon;p&commat;h`, `http://u&amp;colon;***&commat;h`},
		{`http://u%u003ap%u0040h`, `http://u%u003a***%u0040h`},
		{`http://u\x3ap\x40h`, `http://u\x3a***\x40h`},
	} {
		if got := Mask(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
}

func TestMaskText(t *testing.T) {
	for _, c := range [][2]string{
		{"see http://a.example/ or mail bob@example.org", "see http://a.example/ or mail bob@example.org"},
		{"see http://a.example:80/ or mail bob@example.org", "see http://a.example:80/ or mail bob@example.org"},
		{"http://u:p q@h", "http://u:***@h"},
		{"> http://u:p\n> q@h", "> http://u:***@h"},
		{"note:to:ann", "note:to:ann"},
		{"note:to:ann and bob@example.org", "note:to:***@example.org"},
		{"see urn:isbn:0-395-36341-1 or ask bob@example.org", "see urn:isbn:0-395-36341-1 or ask bob@example.org"},
		{`style="a:b;c:d" bob@example.org`, `style="a:b;c:d" bob@example.org`},
		{"see http://u:pass", "see http://u:***"},
		{"see http://an n:pass word@h", "see http://an n:***@h"},
		{"see http:// an n:word@h", "see http:// an n:***@h"},
		{"> see http://an\n> n:pass word@h", "> see http://an\n> n:***@h"},
		{"see http://a.example http://b.example mailto:bob@x", "see http://a.example http://b.example mailto:bob@x"},
		{"see http://a.example and then also: bob@x", "see http://a.example and then also: bob@x"},
		{"see http://h/?u=ann:pass word@h there", "see http://h/?u=ann:***@h there"},
		{"see http://h/?u=ann:pass@h there bob@x", "see http://h/?u=ann:***@x"},
		{"see http://h/wiki/User:Ann or else mail me at bob@x", "see http://h/wiki/User:Ann or else mail me at bob@x"},
		{`style="a:b/c;d:e" bob@example.org`, `style="a:b/c;d:e" bob@example.org`},
		{"http://host:port/path", "http://host:port/path"},
		{"http://f:/c", "http://f:/c"},
	} {
		if got := MaskText(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
}

// pieces of a password, told apart from all else.
const first, second = "zq7a", "zq7b"

var (
	octets = []string{"@", "/", "?", "#", ":", ";", "|", `\`, "'", `"`, "<", ">", "(", ")", "[", "]", "{", "}", "%", "*", "é", "\xe9",
		" ", "\t", "\x00", "\n", "\r\n> ", "\n> > ", "***@", "://", "@/?#:;|\\'\"<>()[]{}%*", strings.Repeat("x", 390)}
	intros = []string{"//", `\\\\`, "x:", "x:/", "x:///", "ftp://", "http:", "file://", "svn+ssh://", "z39.50r://", "X-1.2:", "http://h.example/?u=", "http://h.example:80/~", "x:/a/b#", "x:a?b&", "// an ", "http:// "}
	around = []string{"%s", "jar:%s!/x", "urn:%s", "http://a.example/?url=%s", "mailto:bob@x.example?body=%s", "http://a.example/#%s", "http://a.example/%s"}
)

// TestDefinition plants passwords of every octet that one may hold behind everything that
// begins one, in every place, and escaped up to three times.
func TestDefinition(t *testing.T) {
	n := 0
	for _, o := range octets {
		for _, password := range []string{first + o + second, o + first + second, first + second + o, first} {
			for _, intro := range intros {
				for _, place := range around {
					if strings.HasPrefix(password, "://") && strings.Count(intro, ":") == 1 && !strings.Contains(intro, "/") {
						continue // x:ann:// is one scheme in another
					}
					ref := strings.Replace(place, "%s", intro+"ann:"+password+"@h.example", 1)
					for range 4 {
						n++
						for _, masked := range []string{Mask(ref), MaskText(ref), MaskText("We saw " + ref + " and then nothing."), masked([]byte("We saw " + ref + " there."))} {
							if strings.Contains(masked, first) || strings.Contains(masked, second) {
								t.Errorf("%q: %q", ref, masked)
							}
						}
						ref = escape(ref)
					}
				}
			}
		}
	}
	t.Logf("%d references", n)
}

func masked(text []byte) string { return Cut(text, Spans(text), 0, len(text)) }

func escape(s string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2f", "@", "%40", `\`, "%5C").Replace(s)
}

// TestWriter: what a message repeats of an argument may be torn or cut.
func TestWriter(t *testing.T) {
	var b strings.Builder
	long := strings.Repeat("longword", 20)
	w := NewWriter(&b, []string{"x", "http://u:secret,word" + long + "@h/", "see http://host:80/ and a@b"})
	n, err := io.WriteString(w, "no such file: u:secret, or word"+long[:40]+", port 80 of host\n")
	if want := "no such file: u:***, or ***, port 80 of host\n"; err != nil || b.String() != want || n == 0 {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestGrowth: four times the text takes at most five times the steps, and none takes more
// than some hundred for each octet.
func TestGrowth(t *testing.T) {
	for _, unit := range []string{"//a:b", "//a:b@", "//", "a:b@c", ":", "@", "a:", "//a:%41", "%3A", "&#58;", "a:b:", "[a:", "//[", `\`, `\a`, "//a:1!", "x:/", "a b:c:d ", "//a:b\n", "//u:" + strings.Repeat("p", 500),
		"//a/b:c", "//a/b:c@d e f g h ", "//a b:c ", "//a\n> b:80 ", "x:a/b:1!"} {
		for _, f := range []finder{{}, {whole: true}, {torn: true}} {
			count := func(n int) int {
				f := f
				f.s = []byte(strings.Repeat(unit, n/len(unit)))
				f.all()
				return f.steps
			}
			small, large := count(1<<16), count(1<<18)
			if large > 5*small+1000 || large > 500<<18 {
				t.Errorf("%.10q: %d steps, then %d", unit, small, large)
			}
		}
	}
}

// TestParams: the values of parameters that are named like secrets.
func TestParams(t *testing.T) {
	for _, c := range [][2]string{
		{"http://h/?key=123", "http://h/?key=***"},
		{"http://h/?id=1&API_Key=a/b?c==&x=2#y", "http://h/?id=1&API_Key=***&x=2#y"},
		{"http://h/?id=1;token=ab;x=2", "http://h/?id=1;token=***;x=2"},
		{"http://h/a;jsessionid=A1?x=2", "http://h/a;jsessionid=***?x=2"},
		{"http://h/?token=a;b", "http://h/?token=***"},
		{"http://h/#access_token=a&state=b", "http://h/#access_token=***&state=b"},
		{"http://h/?password=&x=1", "http://h/?password=&x=1"},
		{"http://h/?u=http%3A%2F%2Fa%2F%3Ftoken%3Dab%26x%3D1&y=2", "http://h/?u=http%3A%2F%2Fa%2F%3Ftoken%3D***%26x%3D1&y=2"},
		{"http://h/?u=http%253A%252F%252Fa%252F%253Ftoken%253Dab%2526x%253D1&y=2", "http://h/?u=http%253A%252F%252Fa%252F%253Ftoken%253D***%2526x%253D1&y=2"},
		{"http://h/?token=a%26b&c=d", "http://h/?token=***&c=d"},
		{"http://h/?a=1&amp;sig=ab&amp;x=2", "http://h/?a=1&amp;sig=***&amp;x=2"},
		{`http://h/?a=1\u0026sig\u003dab\u0026x=2`, `http://h/?a=1\u0026sig\u003d***\u0026x=2`},
		{"http://ann:word@h/?token=a@b&c", "http://ann:***&c"},
		{"http://h/?monkey=1&keys=2&tokens=3&design=4&max_token=5&author=6", "http://h/?monkey=1&keys=2&tokens=3&design=4&max_token=5&author=6"},
		{"http://h/key=1/token=2", "http://h/key=1/token=2"},
		{"key=1", "key=1"},
		{"http://h/?q=a+b&page=2&sid=google", "http://h/?q=a+b&page=2&sid=google"},
	} {
		if got := Mask(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
	for _, c := range [][2]string{
		{`see <http://h/?key=12 3> there`, `see <http://h/?key=*** 3> there`},
		{`<a href="http://h/?key=12">token=5</a>`, `<a href="http://h/?key=***">token=5</a>`},
		{"the key=1 of token = 2", "the key=1 of token = 2"},
	} {
		if got := MaskText(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
		if got := masked([]byte(c[0])); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
		if len(Sure([]byte(c[0]))) > 0 {
			t.Errorf("%s: a parameter ends no reference", c[0])
		}
	}
}

// TestParamsDefinition plants values behind every name, in every case and place, escaped
// up to three times.
func TestParamsDefinition(t *testing.T) {
	escapeAll := strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F", "?", "%3F", "&", "%26", "=", "%3D", "#", "%23", ";", "%3B")
	for _, name := range params {
		for _, name := range []string{name, strings.ToUpper(name)} {
			for _, intro := range []string{"http://h/?", "http://h/?a=1&", "http://h/?a=1;", "http://h/a;", "http://h/#", "http://h/?a=1&amp;", "?", "x:y?"} {
				for _, o := range []string{"", "/", "?", ":", "@", "%26", "+", ",", "=", "==", "é", "***", ")", "'", strings.Repeat("x", 5000)} {
					if o == "?" && strings.HasSuffix(intro, ";") {
						continue // ends a parameter of a path
					}
					ref := intro + name + "=" + first + o + second + "&x=1"
					for range 4 {
						for _, masked := range []string{Mask(ref), MaskText(ref), MaskText("We saw " + ref + " and then."), masked([]byte("We saw " + ref + " there."))} {
							if strings.Contains(masked, first) || strings.Contains(masked, second) {
								t.Errorf("%.100q: %.100q", ref, masked)
							}
						}
						ref = "http://a/?u=" + escapeAll.Replace(ref)
					}
				}
			}
		}
	}
}

// TestParamsGrowth: the time for values grows as the text does; its square would not end.
func TestParamsGrowth(t *testing.T) {
	for _, unit := range []string{"?token=", "=", "%3D", "?token=a;b", "%25", "%2525253Ftoken%3D", "?key=a ", "&#61;", "?key=%26"} {
		values([]byte(strings.Repeat(unit, 8<<20/len(unit))), false)
	}
}

func TestHidden(t *testing.T) {
	for address, want := range map[string]bool{
		"http://h.test/?token=***":             true,
		"http://h.test/?token=***&x=1":         true,
		"ftp://ann:***@h.test/x":               true,
		"http://h.test/?token=word":            false,
		"http://h.test/":                       false,
		"http://h.test/***/x":                  false,
		"http://h.test/***/?token=word":        false,
		"ftp://ann:word@h.test/?a=***":         false,
		"http://h.test/?q=***&page=2":          false,
		"http://h.test/?token=***&apikey=word": false,
	} {
		if got := Hidden(address); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
		if Hidden(address) && Mask(address) != address {
			t.Errorf("%s holds a secret still", address)
		}
	}
}
