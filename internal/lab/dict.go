package lab

import (
	"fmt"
	"net"
	"strings"
)

// Dict serves the words of one dictionary, "wells", on l until it is closed (RFC 2229).
func Dict(l net.Listener, words map[string]string) error {
	return serveLines(l, "220 lab dictionary server <> <1@lab>\r\n", func() func(string) string {
		return func(line string) string { return dictReply(words, line) }
	})
}

func dictReply(words map[string]string, line string) string {
	request := strings.Fields(line)
	verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
	switch {
	case verb == "QUIT":
		return "221 Bye"
	case verb == "CLIENT":
		return "250 ok"
	case verb != "DEFINE" && verb != "MATCH":
		return "500 What?"
	case len(request) != map[string]int{"DEFINE": 3, "MATCH": 4}[verb]:
		return "501 Syntax error"
	case !strings.Contains("! * wells", request[1]):
		return "550 Invalid database"
	}
	word := request[len(request)-1]
	text, ok := words[word]
	switch {
	case !ok:
		return "552 No match"
	case verb == "MATCH":
		return fmt.Sprintf("152 1 matches found\r\nwells \"%s\"\r\n.\r\n250 ok", word)
	}
	return fmt.Sprintf("150 1 definitions retrieved\r\n151 \"%s\" wells \"Words of the mill\"\r\n%s\r\n.\r\n250 ok", word, text)
}
