package uri

// Parse reads one URI. The error is always an *Error.
func Parse(s string) (URI, error) {
	sp, err := cut(s)
	if err != nil {
		return nil, err
	}
	u, err := sp.desc.parse(sp)
	if err != nil {
		return nil, err
	}
	return u, nil
}
