package extract

// FormatNames lists the names of the formats, without the containers, to the tests
// beside this package.
func FormatNames() []string { return namesOf(formats) }

// ContainerNames lists the names of the containers.
func ContainerNames() []string { return namesOf(containers) }

func namesOf(rows []format) (names []string) {
	for _, f := range rows {
		names = append(names, f.name)
	}
	return names
}
