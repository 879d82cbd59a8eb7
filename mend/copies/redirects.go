package copies

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"linkcheck/mend"
)

// RedirectForms are the forms of a map of redirects: a table, the inside of a `map` of
// nginx (ngx_http_map_module), and a text file for RewriteMap of Apache httpd.
var RedirectForms = []string{"csv", "nginx", "apache"}

// WriteRedirects writes where the addresses of the web lead that fixes are for, each once,
// in their order: for servers of mirrors whose documents are witnesses. Fragments are for
// readers and come to no server (RFC 9110 section 4.2.4). left are those that the form
// cannot say: in nginx a "$" is a variable.
func WriteRedirects(w io.Writer, form string, sources []Source) (left []string, err error) {
	to := map[string]string{}
	var list []string
	for _, s := range sources {
		for _, f := range s.Fixes {
			from, _, _ := strings.Cut(f.Old, "#")
			now, _, _ := strings.Cut(f.New, "#")
			web := strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
			switch _, known := to[from]; {
			case s.Aside || known || from == now || !web || !mend.Address(from) || !mend.Address(now):
			case form == "nginx" && strings.Contains(from+now, "$"):
				left = append(left, from)
			default:
				to[from], list = now, append(list, from)
			}
		}
	}
	slices.Sort(list)
	out := bufio.NewWriter(w)
	if form == "csv" {
		t := csv.NewWriter(out)
		t.Write([]string{"old_url", "new_url"})
		for _, from := range list {
			t.Write([]string{from, to[from]})
		}
		if t.Flush(); t.Error() != nil {
			return left, t.Error()
		}
	}
	for _, from := range list {
		switch form {
		case "nginx":
			fmt.Fprintf(out, "\"%s\" \"%s\";\n", from, to[from])
		case "apache":
			fmt.Fprintf(out, "%s %s\n", from, to[from])
		}
	}
	return left, out.Flush()
}
