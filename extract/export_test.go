package extract

// FormatNames lists the names of the formats to the tests beside this package.
func FormatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}
