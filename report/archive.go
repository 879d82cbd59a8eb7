package report

// Archive knows archived copies of addresses.
type Archive interface {
	// Copy gives the address of an archived copy of url, "" if none is known.
	Copy(url string) string
}
