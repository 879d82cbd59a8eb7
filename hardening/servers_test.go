//go:build linux

package hardening

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted listens on an address of loopback of its own, and talks so to everybody who asks.
func scripted(t *testing.T, talk func(c net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("loopback has one address here: ", err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(30 * time.Second))
				talk(c)
			}()
		}
	}()
	return l.Addr().String()
}

// dialling are the flags with which every host but those of the guard leads to address.
func dialling(address string) []string {
	return []string{"--connect-to", "::" + address, "--allow-private", "127.0.0.2/32", "--timeout", "500ms", "--host-delay", "0s", "--retry-delay", "0s"}
}

// says sends a text and waits for the other side to leave.
func says(s string) func(net.Conn) {
	return func(c net.Conn) {
		io.WriteString(c, s)
		io.Copy(io.Discard, c)
	}
}

// pours sends a beginning and then the same without end.
func pours(begin, s string) func(net.Conn) {
	return func(c net.Conn) {
		go io.Copy(io.Discard, c)
		block := []byte(strings.Repeat(s, 1+1<<15/len(s)))
		for _, err := io.WriteString(c, begin); err == nil; {
			_, err = c.Write(block)
		}
	}
}

// answers reads a request of HTTP at a time and sends what reply makes of its path.
func answers(reply func(path string) string) func(net.Conn) {
	return func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			first, err := r.ReadString('\n')
			if err != nil {
				return
			}
			for line := first; strings.TrimSpace(line) != ""; {
				if line, err = r.ReadString('\n'); err != nil {
					return
				}
			}
			if f := strings.Fields(first); len(f) > 1 {
				io.WriteString(c, reply(f[1]))
			}
		}
	}
}

// page is an answer with these fields; robots.txt is not there.
func page(status, fields, body string) func(net.Conn) {
	return answers(func(path string) string {
		if path == "/robots.txt" {
			return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
		}
		return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", status, fields, len(body), body)
	})
}

// asked is a link of every protocol that is probed, each on a host of its own.
var asked = []string{
	"http://w.mill.org/a", "ftp://f.mill.org/pub/a", "ftp://g.mill.org/pub/", "gopher://g.mill.org/1/a", "gopher://h.mill.org/0/a", "nntp://n.mill.org/g.h/1", "news://o.mill.org/a@b",
	"telnet://t.mill.org/", "dict://d.mill.org/d:word", "wais://x.mill.org/db?q", "wais://y.mill.org/db/t/d", "z39.50r://z.mill.org/db?x", "z39.50s://q.mill.org/db", "finger://i.mill.org/u", "whois://j.mill.org/u",
}

// Whatever a server of any protocol sends, and however long, is read within bounds and shown without its escapes.
func TestServers(t *testing.T) {
	long(t)
	rows := map[string]func(net.Conn){
		"silence": func(c net.Conn) { io.Copy(io.Discard, c) }, "closes at once": func(net.Conn) {}, "resets": func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) },
		"octets": pours("", "x"), "NULs": pours("", "\x00"), "line ends": pours("", "\r\n"), "IACs": pours("", "\xff"), "negotiations": pours("", "\xff\xfd\x01\xff\xfb\x03"), "subnegotiation": pours("\xff\xfa\x18", "x"),
		"greetings": pours("", "220 x\r\n"), "a greeting in parts": pours("220-x\r\n", "220-x\r\n"), "dots": pours("200 x\r\n", ".\r\n"), "menus": pours("", "1x\tx\tw.mill.org\t70\r\n"), "items": pours("222 1 <a@b>\r\n", "text\r\n"),
		"APDU lengths": says("\xb4\x84\x7f\xff\xff\xff\x83"), "APDUs without end": pours("\xb4\x80", "\x30\x80"), "APDU levels": pours("", "\xb4\x84\x00\xff\xff\xff"), "WAIS length": says("9999999999z2wais      0 " + strings.Repeat("x", 1000)),
		"WAIS negative": says("-000000001z2wais      0 x"), "TLS": pours("\x16\x03\x01\xff\xff", "\x00"), "HTTP/2": pours("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x00\x00\x00\x04\x00\x00\x00\x00\x00"),
		"status and fields": pours("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), "status without end": pours("HTTP/1.1 200 ", "x"), "a field without end": pours("HTTP/1.1 200 OK\r\nX-A: ", "x"), "body without end": pours("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "<p>x"),
		"chunks of nothing": pours("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;x=y\r\na\r\n"), "a chunk head without end": pours("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x"), "trailers": pours("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: b\r\n"),
		"continue": pours("", "HTTP/1.1 100 Continue\r\n\r\n"), "early hints": pours("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), "drips": func(c net.Conn) {
			for range 60 {
				if _, err := io.WriteString(c, "2"); err != nil {
					return
				}
				time.Sleep(200 * time.Millisecond)
			}
		},
		"length below zero": page("200 OK", "Content-Length: -5\r\n", "x"), "two lengths": page("200 OK", "Content-Length: 99\r\n", "x"), "length of 2^63": says("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nx"), "status 99999": says("HTTP/1.1 99999 x\r\n\r\n"),
		"gzip bomb": page("200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", string(octets(times(64, gz(zeros(16*mega)))))), "gzip in gzip": page("200 OK", "Content-Encoding: gzip, gzip\r\n", string(octets(gz(times(64, gz(zeros(16*mega))))))),
		"brotli bomb": page("200 OK", "Content-Type: text/html\r\nContent-Encoding: br\r\n", string(octets(br(zeros(256*mega))))), "deflate bomb": page("200 OK", "Content-Encoding: deflate\r\n", string(octets(deflated(zeros(256*mega))))), "zstd bomb": page("200 OK", "Content-Encoding: zstd\r\n", string(octets(zstWindow(20, 500*mega)))),
		"a robots.txt without end": answers(func(string) string {
			return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99999999\r\n\r\n" + strings.Repeat("Disallow: /x\n", 100000)
		}),
		"a packed robots.txt without end": answers(func(string) string {
			b := octets(times(32, gz(repeat("Disallow: /*a*b\n", 8*mega))))
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(b), b)
		}),
		"a robots.txt of stars": answers(func(string) string {
			b := "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*a", 500)+"b\n", 60)
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(b), b)
		}),
		"redirects in a ring": page("302 Found", "Location: /a\r\n", ""), "redirects that grow": answers(func(path string) string {
			return "HTTP/1.1 302 Found\r\nLocation: " + path + strings.Repeat("a", 44000) + "\r\nContent-Length: 0\r\n\r\n"
		}),
		"a page of elements": page("200 OK", "Content-Type: text/html\r\n", strings.Repeat("<div><table><b>", 4000)), "a title without end": page("200 OK", "Content-Type: text/html\r\n", "<title>"+strings.Repeat("t", 64000)),
		"cookies": page("200 OK", strings.Repeat("Set-Cookie: a=b\r\n", 5000), "x"),
	}
	for name, talk := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			to := dialling(scripted(t, talk))
			codes := []int{0, 1, 3}
			if name == "resets" { // it is a matter of time which connections are reset before they stand: where all are, our own network looks down
				codes = append(codes, 4)
			}
			p.within(p.start(start{patience: 40 * time.Second}, slices.Concat([]string{"check", "--json"}, to, asked)...), ceiling{codes: codes, cpu: 4 * time.Second, output: mega})
		})
	}
}

// What a terminal must not get is escaped in what servers said, whatever part of an answer it was.
func TestServersOnTerminal(t *testing.T) {
	long(t)
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clean := strings.NewReplacer("\r", "", "\n", "").Replace(s)
			p := newPlace(t, nil)
			args := []string{"--allow-private", "127.0.0.2/32", "--timeout", "500ms", "--host-delay", "0s", "--retry-delay", "0s", "--workers", "64"}
			rows, uriLines := 0, []string(nil)
			row := func(talk func(net.Conn)) {
				to := scripted(t, talk)
				for _, uri := range asked {
					host := strings.Split(strings.Split(uri, "/")[2], ":")[0]
					other := fmt.Sprintf("r%d-%s", rows, host)
					args = append(args, "--connect-to", other+"::"+to)
					uriLines = append(uriLines, strings.Replace(uri, host, other, 1))
				}
				rows++
			}
			for _, code := range []string{"200", "220", "230", "150", "222", "550", "599", "i", "3", "1"} {
				row(says(strings.Repeat(code+" "+s+"x\r\n", 3) + ".\r\n"))
			}
			row(page("404 "+clean, "", ""))
			row(page("301 x", "Location: http://w.mill.org/b"+clean+"\r\nServer: "+clean+"\r\nRetry-After: "+clean+"\r\nContent-Type: text/"+clean+"\r\n", ""))
			row(page("200 OK", "Content-Type: text/html\r\n", "<title>Not found"+s+"</title><meta http-equiv=refresh content='0;url=/x"+s+"'>"+s))
			p.write("docs/a.txt", strings.Join(uriLines, "\n")+"\n")
			for _, verb := range [][]string{
				slices.Concat([]string{"check", "--json", "-"}, args), slices.Concat([]string{"check", "-"}, args),
				slices.Concat([]string{"run", "--log-json", "--store", "s.db", "docs"}, args),
			} {
				p.within(p.start(start{stdin: strings.NewReader(strings.Join(uriLines, "\n"))}, verb...), ceiling{codes: []int{0, 1, 3, 4}})
			}
			for _, verb := range slices.Concat(tellers, [][]string{{"explain", "--store", "s.db", uriLines[0]}, {"explain", "--store", "s.db", uriLines[1]}, {"explain", "--store", "s.db", uriLines[len(uriLines)-15]}}) {
				p.within(p.run(verb...), ceiling{codes: []int{0}})
			}
		})
	}
}

// No answer leads the program to an address that the guard refuses, nor to a port that is none of the scheme's.
func TestLedElsewhere(t *testing.T) {
	long(t)
	p := newPlace(t, nil)
	_, port, _ := strings.Cut(p.inward, ":")
	targets := []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0x7f.1", "0177.0.0.1", "2130706433", "127.1", "0.0.0.0", "0", "[::]", "127.0.0.1.", "localhost.", "LOCALHOST", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[fd00::5efe:127.0.0.1]", "[fe80::5efe:8.8.8.8]", "[::1%25lo]", "①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "a@127.0.0.1", "169.254.169.254", "168.63.129.16", "[fd00:ec2::254]", "100.100.100.200", "10.0.0.1", "192.168.1.1", "[fec0::1]", "[100::1]"}
	var uris []string
	for _, host := range targets {
		for _, scheme := range []string{"http", "https", "ftp", "gopher", "telnet", "nntp", "dict", "wais", "finger", "whois"} {
			uris = append(uris, fmt.Sprintf("%s://%s:%s/x", scheme, host, port))
		}
	}
	t.Run("links", func(t *testing.T) {
		p.within(p.start(start{stdin: strings.NewReader(strings.Join(uris, "\n"))}, "check", "--json", "--timeout", "2s", "--host-delay", "0s", "--retry-delay", "0s", "-"), ceiling{codes: []int{0, 1, 3}})
	})
	t.Run("redirects", func(t *testing.T) {
		address := scripted(t, answers(func(path string) string {
			var i int
			if _, err := fmt.Sscanf(path, "/to/%d", &i); err != nil || i >= len(uris) {
				return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
			}
			return fmt.Sprintf("HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", uris[i])
		}))
		var from []string
		for i := range uris {
			from = append(from, fmt.Sprintf("http://w%d.mill.org/to/%d", i%40, i))
		}
		args := []string{"check", "--json", "--allow-private", "127.0.0.2/32", "--timeout", "2s", "--host-delay", "0s", "--retry-delay", "0s", "-"}
		for i := range 40 {
			args = slices.Insert(args, 1, "--connect-to", fmt.Sprintf("w%d.mill.org:80:%s", i, address))
		}
		o := p.start(start{stdin: strings.NewReader(strings.Join(from, "\n"))}, args...)
		p.within(o, ceiling{codes: []int{0, 1, 3}})
		if o.out.lines < len(uris) {
			t.Errorf("%d rows of %d links", o.out.lines, len(uris))
		}
	})
	t.Run("a data connection", func(t *testing.T) {
		h, n := p.inward[:strings.Index(p.inward, ":")], 0
		fmt.Sscan(port, &n)
		for _, pasv := range []string{fmt.Sprintf("227 ok (%s,%d,%d)", strings.ReplaceAll(h, ".", ","), n>>8, n&255), fmt.Sprintf("229 ok (|||%d|)", n), fmt.Sprintf("229 ok (|1|127.0.0.1|%d|)", n), fmt.Sprintf("229 ok (|2|::1|%d|)", n), "227 ok (127,0,0,1,999,999)", "229 ok (|||99999|)", "229 ok (|||0|)", "229 ok (|||22|)"} {
			talk := func(c net.Conn) {
				io.WriteString(c, "220 ready\r\n")
				for r := bufio.NewScanner(c); r.Scan(); {
					reply := "250 ok"
					switch strings.ToUpper(strings.Fields(r.Text() + " x")[0]) {
					case "USER":
						reply = "331 password"
					case "PASS":
						reply = "230 in"
					case "PASV", "EPSV":
						reply = pasv
					case "SIZE", "MDTM", "MLST", "FEAT":
						reply = "502 no"
					case "LIST", "NLST", "MLSD", "RETR":
						reply = "150 here it comes"
					}
					io.WriteString(c, reply+"\r\n")
				}
			}
			p.within(p.run(slices.Concat([]string{"check", "--json"}, dialling(scripted(t, talk)), []string{"ftp://f.mill.org/pub/", "ftp://g.mill.org/pub/a"})...), ceiling{codes: []int{0, 1, 3}})
		}
	})
	t.Run("robots.txt, pages and referrals", func(t *testing.T) {
		for _, target := range []string{"http://" + p.inward + "/", "//" + p.inward + "/", "gopher://" + p.inward + "/1x", "ftp://" + p.inward + "/x", "file:///etc/passwd", "whois://" + p.inward + "/x", "javascript:x", "data:text/html,x"} {
			for _, talk := range []func(net.Conn){
				answers(func(string) string {
					return "HTTP/1.1 301 x\r\nLocation: " + target + "\r\nRefresh: 0; url=" + target + "\r\nContent-Length: 0\r\n\r\n"
				}),
				page("200 OK", "Content-Type: text/html\r\nRefresh: 0; url="+target+"\r\nLink: <"+target+">; rel=canonical\r\nAlt-Svc: h2=\""+p.inward+"\"\r\n", "<base href='"+target+"'><meta http-equiv=refresh content='0;url="+target+"'><script>location='"+target+"'</script><frameset><frame src='"+target+"'></frameset>"),
				says("refer: " + p.inward + "\r\nwhois: " + p.inward + "\r\nReferralServer: whois://" + p.inward + "\r\n"),
				says("+INFO: 1x\tx\t127.0.0.1\t" + port + "\r\n.\r\n"),
			} {
				to := []string{"--allow-private", "127.0.0.2/32", "--timeout", "400ms", "--host-delay", "0s", "--retry-delay", "0s"}
				address := scripted(t, talk)
				for _, host := range []string{"w", "g", "j"} {
					to = append(to, "--connect-to", host+".mill.org::"+address)
				}
				p.within(p.start(start{needles: []string{"root:x:0"}}, slices.Concat([]string{"check", "--json"}, to, []string{"http://w.mill.org/a", "gopher://g.mill.org/1/a", "whois://j.mill.org/u"})...), ceiling{codes: []int{0, 1, 3}})
			}
		}
	})
}

// What a link holds reaches no line protocol as a line of its own.
func TestInjected(t *testing.T) {
	t.Parallel()
	const order = "INJECTED"
	var mu sync.Mutex
	var asked []string
	address := scripted(t, func(c net.Conn) {
		for _, s := range []string{"220 x\r\n", "200 x\r\n"} {
			io.WriteString(c, s)
		}
		b := make([]byte, 1<<16)
		for {
			n, err := c.Read(b)
			if n > 0 {
				mu.Lock()
				asked = append(asked, string(b[:n]))
				mu.Unlock()
				io.WriteString(c, "200 ok\r\n")
			}
			if err != nil {
				return
			}
		}
	})
	var uris []string
	for _, in := range []string{"%0D%0A" + order, "%0A" + order, "%0D" + order, "%00" + order, "%E2%80%A8" + order, "\u2028" + order, "%C0%8A" + order, "%250D%250A" + order, "\u010a" + order, "%85" + order, "&#13;&#10;" + order, "%u000a" + order, "%09" + order, "%1b" + order} {
		for _, form := range []string{"http://w.mill.org/a%sb", "http://w.mill.org/?q=%s", "http://u%s@w.mill.org/", "ftp://f.mill.org/%s", "ftp://u%s:p@f.mill.org/x", "ftp://f.mill.org/a;type=%s", "gopher://g.mill.org/1%s", "gopher://g.mill.org/7x%%09%s", "nntp://n.mill.org/%s/1", "news://n.mill.org/%s@b",
			"telnet://u%s@t.mill.org/", "dict://d.mill.org/d:%s", "dict://d.mill.org/d:w:%s", "wais://x.mill.org/%s?q", "wais://x.mill.org/db?%s", "wais://x.mill.org/db/t/%s", "z39.50r://z.mill.org/%s?x", "z39.50r://z.mill.org/db?%s", "finger://i.mill.org/%s", "whois://j.mill.org/%s"} {
			uris = append(uris, fmt.Sprintf(form, in))
		}
	}
	p := newPlace(t, nil)
	p.within(p.start(start{stdin: strings.NewReader(strings.Join(uris, "\n"))}, slices.Concat([]string{"check", "--json"}, dialling(address), []string{"--timeout", "400ms", "-"})...), ceiling{codes: []int{0, 1, 3}})
	mu.Lock()
	defer mu.Unlock()
	for _, s := range asked {
		for _, line := range strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' || r == 0 }) {
			if strings.HasPrefix(line, order) {
				t.Errorf("a server heard %q", s)
			}
		}
	}
	if len(asked) < 20 {
		t.Errorf("the server was asked %d times", len(asked))
	}
}

// A server that repeats what it was asked, or tells passwords of its own, is not quoted with them.
func TestServersTellSecrets(t *testing.T) {
	long(t)
	const needle = "sEcRet"
	link := "http://ann:" + needle + "@p.mill.org/"
	for _, reply := range []string{"no such thing as " + link, "see ftp://ann:" + needle + "@h.mill.org/x", "xyz://ann:" + needle + "@h", "http%3A%2F%2Fann%3A" + needle + "%40h%2F", strings.Repeat("x", 480) + " " + link, strings.Repeat("x", 190) + " " + link, strings.Repeat("y", 990) + " " + link} {
		for name, talk := range map[string]func(net.Conn){
			"lines": says("550 " + reply + "\r\n"), "menus": says("3" + reply + "\t\terror.host\t1\r\n.\r\n"), "status": page("404 "+reply, "Location: "+link+"\r\n", "<title>"+reply+"</title>"), "moved": page("301 x", "Location: "+link+"\r\nServer: "+reply+"\r\n", reply),
		} {
			t.Run(fmt.Sprintf("%s: %d octets", name, len(reply)), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, map[string]string{"docs/a.txt": strings.Join(asked, "\n") + "\n"})
				to := dialling(scripted(t, talk))
				for _, args := range slices.Concat([][]string{
					slices.Concat([]string{"check", "--json"}, to, asked), slices.Concat([]string{"check"}, to, asked),
					slices.Concat([]string{"run", "--store", "s.db", "--log-json"}, to, []string{"docs"}),
				}, tellers, [][]string{{"explain", "--store", "s.db", asked[0]}, {"explain", "--store", "s.db", asked[1]}}) {
					o := p.start(start{needles: []string{needle}}, args...)
					if len(o.out.seen)+len(o.err.seen) > 0 {
						t.Errorf("%.100q prints it", args)
					}
				}
			})
		}
	}
}
