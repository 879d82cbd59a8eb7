package lab

import (
	"cmp"
	"errors"
	"maps"
	"net"
	"slices"
	"strings"
)

// Prospero answers on c until it is closed: the name of an object to the
// locator of its contents, "AFTP INTERNET-D host ASCII /path BINARY" say, and ""
// for a directory. Answers are those of dirsrv 5.2a, one packet each.
func Prospero(c net.PacketConn, objects map[string]string) error {
	buf := make([]byte, maxLine)
	for {
		n, from, err := c.ReadFrom(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			return err
		case n < 3 || int(buf[0]) < 3 || int(buf[0]) > n: // no header that asks for an answer
			continue
		}
		answer := append([]byte{3, buf[1], buf[2]}, prosperoAnswer(objects, string(buf[buf[0]:n]))...)
		if _, err := c.WriteTo(answer, from); err != nil {
			return err
		}
	}
}

func prosperoAnswer(objects map[string]string, text string) string {
	answer, directory := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		command, _, _ := strings.Cut(line, " ")
		name := ""
		if _, rest, ok := strings.Cut(line, " ASCII '"); ok {
			name = strings.ReplaceAll(rest[:max(strings.LastIndexByte(rest, '\''), 0)], "''", "'")
		}
		locator, exists := objects[name]
		switch {
		case command == "VERSION":
			answer += "VERSION 5 linkcheck-lab\n"
		case command == "DIRECTORY":
			directory = name
		case command == "LIST":
			answer += prosperoList(objects, directory)
		case command == "GET-OBJECT-INFO" && !exists:
			answer += "FAILURE NOT-FOUND\n"
		case command == "GET-OBJECT-INFO" && locator == "":
			answer += "NONE-FOUND\n"
		case command == "GET-OBJECT-INFO":
			answer += "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE " + locator + "\n"
		default:
			answer += "ERROR Unknown message: " + line + "\n"
		}
	}
	return answer
}

func prosperoList(objects map[string]string, directory string) string {
	if locator, ok := objects[directory]; !ok || locator != "" {
		return "FAILURE NOT-A-DIRECTORY\n"
	}
	links := ""
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		if child, ok := strings.CutPrefix(name, directory+"/"); ok {
			links += "LINK  L FILE " + child + " INTERNET-D LAB ASCII '" + name + "' 0\n"
		}
	}
	return cmp.Or(links, "NONE-FOUND\n")
}
