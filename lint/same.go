package lint

import "strings"

// InCatalogue says whether the place of a link is one of the catalogue's own for a resource:
// $u of 856, 857 and 956, location of MODS, a cell of a table whose rows are records. An
// address that records share elsewhere, such as that of a licence (540), is meant to be shared.
func (a *Address) InCatalogue(record string) bool {
	switch tag, rest, _ := strings.Cut(a.Locator, "["); {
	case record == "":
		return false
	case tag == "856" || tag == "857" || tag == "956":
		return strings.Contains(rest, "]$u")
	case a.How == "cell":
		return true
	}
	return strings.HasSuffix(a.Locator, "location/url")
}
