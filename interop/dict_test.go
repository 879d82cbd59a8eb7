package interop

import (
	"fmt"
	"os/exec"
	"testing"

	"linkcheck/check"
	"linkcheck/check/all"
)

// dictionary writes the files of one database with one word, as dictd(8) has them:
// offsets and lengths of the index are in base 64, most significant digit first.
func dictionary(t *testing.T, dir, name, word, text string) (config string) {
	t.Helper()
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	short := "00databaseshort\n     Words of Wells\n"
	index := fmt.Sprintf("00databaseshort\tA\t%c\n%s\t%c\t%c\n", digits[len(short)], word, digits[len(short)], digits[len(text)])
	return fmt.Sprintf("database %s { data %q index %q }\n", name, write(t, dir, name+".dict", short+text), write(t, dir, name+".index", index))
}

func TestDictd(t *testing.T) {
	path := need(t, "dictd")
	dir := publicDir(t)
	config := write(t, dir, "dictd.conf", "global { }\naccess { allow * }\n"+
		dictionary(t, dir, "wells", "millrace", "millrace\n  The channel.\n")+
		dictionary(t, dir, "mills", "mill race", "mill race\n  Two words.\n"))
	addr := inetd(t, func() *exec.Cmd { return command(path, "-i", "-c", config) })
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"dict://{at}/d:millrace", check.OK, "dict-150", check.Strong},
		{"dict://{at}/d:mill%20race:mills:1", check.OK, "dict-150", check.Strong},
		{"dict://{at}/d:millrace:*:3", check.Suspect, "dict-fewer", check.Weak},
		{"dict://{at}/m:mill:*:prefix", check.OK, "dict-152", check.Strong},
		{"dict://{at}/m:millrace", check.OK, "dict-152", check.Strong},
		{"dict://{at}/d:windmill", check.Gone, "dict-552", check.Strong},
		{"dict://{at}/d:millrace:none", check.Gone, "dict-550", check.Strong},
		{"dict://{at}/m:mill::none", check.Undetermined, "dict-551", check.None},
		{"dict://{at}/", check.Reachable, "dict-220", check.Strong},
	})
}

// A server that admits nobody says so before anything else.
func TestDictdDenied(t *testing.T) {
	path := need(t, "dictd")
	dir := publicDir(t)
	config := write(t, dir, "dictd.conf", "access { deny * }\n"+dictionary(t, dir, "wells", "mill", "mill\n  It grinds.\n"))
	addr := inetd(t, func() *exec.Cmd { return command(path, "-i", "-c", config) })
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"dict://{at}/d:mill", check.Blocked, "dict-530", check.None}})
}
