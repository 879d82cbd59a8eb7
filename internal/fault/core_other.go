//go:build !unix

package fault

func noCore() {}
