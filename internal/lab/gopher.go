package lab

import (
	"fmt"
	"net"
	"strings"
)

// Gopher serves items on l until it is closed: selector to answer, the "." line
// of menus included. It speaks Gopher+ and says no as PyGopherd does; a selector
// with TAB and words is looked up whole first, so searches can be scripted.
func Gopher(l net.Listener, items map[string]string) error {
	return GopherOf(l, func(string) map[string]string { return items })
}

// GopherOf is Gopher whose items are those that itemsFor gives when a request comes.
func GopherOf(l net.Listener, itemsFor func(request string) map[string]string) error {
	return serveLine(l, func(request string) string { return gopherAnswer(itemsFor(request), request) })
}

func gopherAnswer(items map[string]string, request string) string {
	if answer, ok := items[request]; ok {
		return answer
	}
	selector, rest, _ := strings.Cut(request, "\t")
	plus := rest[strings.LastIndexByte(rest, '\t')+1:]
	isPlus := plus != "" && strings.ContainsRune("+!$?", rune(plus[0]))
	answer, ok := items[selector]
	switch {
	case !ok && isPlus:
		return fmt.Sprintf("--2\r\n1 Admin <admin@lab.invalid>\r\n'%s' does not exist\r\n", selector)
	case !ok:
		return fmt.Sprintf("3'%s' does not exist (no handler found)\t\terror.host\t1\r\n", selector)
	case isPlus && plus[0] == '+':
		return "+-2\r\n" + answer
	case isPlus:
		return fmt.Sprintf("+-2\r\n+INFO: 0%s\t%s\tlab\t70\t+\r\n", selector, selector)
	}
	return answer
}
