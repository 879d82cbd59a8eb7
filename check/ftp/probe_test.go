package ftp

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// in is a login that goes well, quit a goodbye.
const (
	in = `
		S: 220 ready\r\n
		C: USER anonymous\r\n
		S: 331 Anonymous login ok, send your complete email address as your password\r\n
		C: PASS archive@lib.example\r\n
		S: 230 Anonymous access granted\r\n
		C: TYPE I\r\n
		S: 200 Type set to I\r\n
		`
	quit = `
		C: QUIT\r\n
		S: 221 Goodbye.\r\n`
	gone = `
		c: QUIT\r\n`
	next = "\nnext connection\n"
)

type row struct {
	name, url, script string
	outcome           check.Outcome
	reason            check.Reason
	evidence          check.Evidence
}

// rows is the ftp table of OUTCOMES 1.3 and 1.4, with the path rule of
// rfc1738bis section 2.2.2 and the words of real servers (PROTOCOLS 7.4,
// REAL-SERVERS E, the recorded sessions).
var rows = []row{
	// The path.
	{"no path: the login is the object", "ftp://{at}/", in + quit, check.OK, "ftp-230", check.Strong},
	{"230 without a password", "ftp://{at}", `
		S: 220---------- Welcome to Pure-FTPd [privsep] [TLS] ----------\r\n
		S: 220-You are user number 1 of 20 allowed.\r\n
		S: 220 You will be disconnected after 15 minutes of inactivity.\r\n
		C: USER anonymous\r\n
		S: 230 Anonymous user logged in\r\n
		C: TYPE I\r\n
		S: 200 TYPE is now 8-bit binary\r\n` + quit, check.OK, "ftp-230", check.Strong},
	{"TYPE I refused", "ftp://{at}/", `
		S: 220 ready\r\n
		C: USER anonymous\r\n
		S: 230 in\r\n
		C: TYPE I\r\n
		S: 504 no binary\r\n` + quit, check.OK, "ftp-230", check.Strong},
	{"one CWD a component", "ftp://{at}/pub/doc/", in + `
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: CWD doc\r\n
		S: 250-Welcome to doc\r\n
		S: 250 Directory changed\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"%2F is an absolute argument", "ftp://{at}/%2Fetc/motd", in + `
		C: CWD /etc\r\n
		S: 250 ok\r\n
		C: SIZE motd\r\n
		S: 213 33\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"empty components as the seed says", "ftp://{at}///etc/motd", in + `
		C: CWD \r\n
		S: 250 ok\r\n
		C: CWD \r\n
		S: 250 ok\r\n
		C: CWD etc\r\n
		S: 250 ok\r\n
		C: SIZE motd\r\n
		S: 213 33\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"empty components refused, PROTOCOLS 7.1", "ftp://{at}//etc//motd", in + `
		C: CWD \r\n
		S: 501 CWD: missing argument\r\n` + quit + next + in + `
		C: CWD /\r\n
		S: 250 ok\r\n
		C: CWD etc\r\n
		S: 250 ok\r\n
		C: SIZE motd\r\n
		S: 213 33\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"an empty component that leads home", "ftp://{at}/pub//motd", in + `
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: CWD \r\n
		S: 250 "/" is the current directory.\r\n
		C: SIZE motd\r\n
		S: 550 /motd is not retrievable.\r\n
		C: MDTM motd\r\n
		S: 550 /motd is not retrievable.\r\n
		C: MLST motd\r\n
		S: 550 No such file or directory.\r\n
		C: CWD motd\r\n
		S: 550 No such file or directory.\r\n` + quit + next + in + `
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: SIZE motd\r\n
		S: 213 33\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"octets as decoded", "ftp://{at}/caf%E9.txt", in + `
		C: SIZE caf\xe9.txt\r\n
		S: 213 13\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"type=d", "ftp://{at}/pub/rfc;type=d", in + `
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: CWD rfc\r\n
		S: 250 ok\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"type=d, CWD refused, NLST lists", "ftp://{at}/rfc;type=d", in + `
		C: CWD rfc\r\n
		S: 550 Failed to change directory.\r\n
		C: EPSV\r\n
		S: 229 Entering Extended Passive Mode (|||{port}|)\r\n
		C: NLST rfc\r\n
		S: 150 Here it comes\r\n
		D: rfc1.txt\r\nrfc2.txt\r\n
		S: 226 Directory send OK.\r\n` + quit, check.OK, "listed", check.Strong},
	{"type=d, CWD refused, NLST empty", "ftp://{at}/rfc;type=d", in + `
		C: CWD rfc\r\n
		S: 550 Failed to change directory.\r\n
		C: EPSV\r\n
		S: 229 Entering Extended Passive Mode (|||{port}|)\r\n
		C: NLST rfc\r\n
		S: 150 Here it comes\r\n
		D: \x0d
		S: 226 Directory send OK.\r\n` + quit, check.Gone, "ftp-550", check.Weak},
	{"type=d that is missing", "ftp://{at}/rfc;type=d", in + `
		C: CWD rfc\r\n
		S: 550 rfc: No such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"directory on the way is missing", "ftp://{at}/none/x", in + `
		C: CWD none\r\n
		S: 550 /none: No such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"directory on the way, vsftpd's words", "ftp://{at}/none/x", in + `
		C: CWD none\r\n
		S: 550 Failed to change directory.\r\n` + quit, check.Gone, "ftp-550", check.Weak},
	{"directory on the way is denied", "ftp://{at}/denied/x", in + `
		C: CWD denied\r\n
		S: 550 /pub/denied: Permission denied\r\n` + quit, check.Auth, "ftp-550", check.None},
	{"directory on the way is a file", "ftp://{at}/hello.txt/x", in + `
		C: CWD hello.txt\r\n
		S: 550 hello.txt: Not a directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"directory on the way, busy", "ftp://{at}/a/x", in + `
		C: CWD a\r\n
		S: 450 try again\r\n` + quit, check.Temporary, "ftp-450", check.Weak},
	{"CWD not known", "ftp://{at}/a/x", in + `
		C: CWD a\r\n
		S: 502 not implemented\r\n` + quit, check.Undetermined, "ftp-502", check.None},

	// The ladder.
	{"SIZE", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 213 16\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"SIZE with words behind", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 213 16 bytes\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"MDTM", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 500 SIZE not understood\r\n
		C: MDTM f\r\n
		S: 213 20261120205524\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"MLST", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 550 SIZE not allowed in ASCII mode\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 250-Start\r\n
		S:  type=file;size=16; f\r\n
		S: 250 End\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"a directory without a slash", "ftp://{at}/rfc", in + `
		C: SIZE rfc\r\n
		S: 550 /pub/rfc: Not a regular file\r\n
		C: MDTM rfc\r\n
		S: 550 /pub/rfc: Not a regular file\r\n
		C: MLST rfc\r\n
		S: 500 no\r\n
		C: CWD rfc\r\n
		S: 250 CWD command successful\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"CWD says that it is a file", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 502 no\r\n
		C: CWD f\r\n
		S: 550 f: Not a directory.\r\n` + quit, check.OK, "ftp-550", check.Strong},
	{"missing, ProFTPD's words", "ftp://{at}/none.txt", in + `
		C: SIZE none.txt\r\n
		S: 550 /none.txt: No such file or directory\r\n
		C: MDTM none.txt\r\n
		S: 550 /none.txt: No such file or directory\r\n
		C: MLST none.txt\r\n
		S: 550 '/none.txt' cannot be listed\r\n
		C: CWD none.txt\r\n
		S: 550 /none.txt: No such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"missing, Pure-FTPd's words", "ftp://{at}/none.txt", in + `
		C: SIZE none.txt\r\n
		S: 550 Can't check for file existence\r\n
		C: MDTM none.txt\r\n
		S: 550 Can't check for file existence\r\n
		C: MLST none.txt\r\n
		S: 550 Can't check for file existence\r\n
		C: CWD none.txt\r\n
		S: 550 Can't change directory to none.txt: No such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"missing, pyftpdlib's words", "ftp://{at}/none.txt", in + `
		C: SIZE none.txt\r\n
		S: 550 /none.txt is not retrievable.\r\n
		C: MDTM none.txt\r\n
		S: 550 /none.txt is not retrievable\r\n
		C: MLST none.txt\r\n
		S: 550 No such file or directory.\r\n
		C: CWD none.txt\r\n
		S: 550 No such file or directory.\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"missing, vsftpd's words", "ftp://{at}/none.txt", in + `
		C: SIZE none.txt\r\n
		S: 550 Could not get file size.\r\n
		C: MDTM none.txt\r\n
		S: 550 Could not get file modification time.\r\n
		C: MLST none.txt\r\n
		S: 500 Unknown command.\r\n
		C: CWD none.txt\r\n
		S: 550 Failed to change directory.\r\n` + quit, check.Gone, "ftp-550", check.Weak},
	{"missing, wu-ftpd's words, REAL-SERVERS E 1", "ftp://{at}/X", in + `
		C: SIZE X\r\n
		S: 550 X: not a plain file.\r\n
		C: MDTM X\r\n
		S: 550 X: not a plain file.\r\n
		C: MLST X\r\n
		S: 500 'MLST X': command not understood.\r\n
		C: CWD X\r\n
		S: 550 X: No such file or directory.\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"not a plain file, and nothing more", "ftp://{at}/X", in + `
		C: SIZE X\r\n
		S: 550 X: not a plain file.\r\n
		C: MDTM X\r\n
		S: 500 what?\r\n
		C: MLST X\r\n
		S: 500 what?\r\n
		C: CWD X\r\n
		S: 500 what?\r\n` + quit, check.Undetermined, "ftp-550", check.None},
	{"denied", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 550 f: Permission denied\r\n
		C: MDTM f\r\n
		S: 550 f: Permission denied\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 550 f: No such file or directory\r\n` + quit, check.Auth, "ftp-550", check.None},
	{"prohibited, in a line before the last", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 550-Access to this area is prohibited\r\n550 f: failed\r\n
		C: MDTM f\r\n
		S: 500 no\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 500 no\r\n` + quit, check.Auth, "ftp-550", check.None},
	{"name refused", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 553 f: bad name\r\n
		C: MDTM f\r\n
		S: 553 f: bad name\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 553 f: bad name\r\n` + quit, check.Gone, "ftp-553", check.Weak},
	{"450 on the ladder", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 450 f: file busy\r\n
		C: MDTM f\r\n
		S: 450 f: file busy\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 550 f: No such directory\r\n` + quit, check.Temporary, "ftp-450", check.Weak},
	{"451 once, then proof", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 451 local error\r\n
		C: MDTM f\r\n
		S: 213 19950101000000\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"452", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 452 no space\r\n
		C: MDTM f\r\n
		S: 500 no\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 500 no\r\n` + quit, check.Temporary, "ftp-452", check.Weak},
	{"421 in the middle", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 421 Timeout.\r\n` + quit, check.Temporary, "ftp-421", check.Weak},
	{"login wanted after all", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 530 Please login with USER and PASS.\r\n
		C: MDTM f\r\n
		S: 530 Please login with USER and PASS.\r\n
		C: MLST f\r\n
		S: 530 Please login with USER and PASS.\r\n
		C: CWD f\r\n
		S: 530 Please login with USER and PASS.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"nothing known, NLST lists", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 500 what?\r\n
		C: MDTM f\r\n
		S: 500 what?\r\n
		C: MLST f\r\n
		S: 500 what?\r\n
		C: CWD f\r\n
		S: 550 f: Failed.\r\n
		C: EPSV\r\n
		S: 500 what?\r\n
		C: PASV\r\n
		S: 227 Entering Passive Mode (10,0,0,1,{p1},{p2})\r\n
		C: NLST f\r\n
		S: 150 Opening ASCII mode data connection\r\n
		D: f\r\n
		S: 226 Transfer complete.\r\n` + quit, check.OK, "listed", check.Strong},
	{"nothing known, NLST empty", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 504 no\r\n
		C: CWD f\r\n
		S: 502 no\r\n
		C: EPSV\r\n
		S: 229 Entering Extended Passive Mode (|||{port}|)\r\n
		C: NLST f\r\n
		S: 150 Here comes the directory listing.\r\n
		D: ls: f: No such file or directory\r\n
		S: 226 Directory send OK.\r\n` + quit, check.Undetermined, "ftp-502", check.None},
	{"nothing known, NLST says no", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 502 no\r\n
		C: CWD f\r\n
		S: 502 no\r\n
		C: EPSV\r\n
		S: 229 ok (|||{port}|)\r\n
		C: NLST f\r\n
		S: 450 /f: No such file or directory\r\n` + quit, check.Gone, "ftp-450", check.Weak},
	{"nothing known, no data port to be had", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 502 no\r\n
		C: CWD f\r\n
		S: 502 no\r\n
		C: EPSV\r\n
		S: 229 ok (|||22|)\r\n` + quit, check.Undetermined, "ftp-502", check.None},

	// Greeting and login.
	{"120, then 220", "ftp://{at}/", "S: 120 Service ready in 1 minute\\r\\n\n" + in + quit, check.OK, "ftp-230", check.Strong},
	{"120, then nothing", "ftp://{at}/", `
		S: 120 Service ready in 60 minutes\r\n
		S: <closes>` + gone, check.Temporary, "ftp-120", check.Weak},
	{"bare 220", "ftp://{at}/", `
		S: 220\r\n
		C: USER anonymous\r\n
		S: 230\r\n
		C: TYPE I\r\n
		S: 200\r\n` + quit, check.OK, "ftp-230", check.Strong},
	{"421 greeting, vsftpd full", "ftp://{at}/", `
		S: 421 There are too many connected users, please try later.\r\n
		S: <closes>` + gone, check.Temporary, "full", check.Weak},
	{"421 greeting", "ftp://{at}/", `
		S: 421 Service not available, closing\r\n
		S: <closes>` + gone, check.Temporary, "ftp-421", check.Weak},
	{"wu-ftpd full, in lines before a bland end, REAL-SERVERS E 2", "ftp://{at}/", `
		S: 220 wu\r\n
		C: USER anonymous\r\n
		S: 530-Sorry, there are too many users\r\n
		S: 530-The limit is 10.\r\n
		S: 530 User anonymous access denied.\r\n` + quit, check.Temporary, "full", check.Weak},
	{"max 10 users", "ftp://{at}/", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 331 ok\r\n
		C: PASS archive@lib.example\r\n
		S: 530 max 10 users, try again later\r\n` + quit, check.Temporary, "full", check.Weak},
	{"530 after anonymous", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 530 This FTP server does not allow anonymous logins.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"530 after the password", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 331 ok\r\n
		C: PASS archive@lib.example\r\n
		S: 530 Login incorrect.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"332 wants an account", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 332 Need account for login.\r\n` + quit, check.Auth, "ftp-332", check.None},
	{"430 on login", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 430 Invalid username\r\n` + quit, check.Auth, "ftp-430", check.None},
	{"425 on login", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 425 later\r\n` + quit, check.Temporary, "ftp-425", check.Weak},
	{"426 on login", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 426 later\r\n` + quit, check.Temporary, "ftp-426", check.Weak},
	{"500 on login", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 500 what?\r\n` + quit, check.Undetermined, "ftp-500", check.None},
	{"a user of the URL: no password", "ftp://alice:wonder@{at}/f", `
		S: 220 x\r\n
		C: USER alice\r\n
		S: 331 Password required\r\n` + quit, check.Auth, "ftp-331", check.None},
	{"a user of the URL who needs none", "ftp://guest@{at}/f", `
		S: 220 x\r\n
		C: USER guest\r\n
		S: 230 Welcome\r\n
		C: TYPE I\r\n
		S: 200 ok\r\n
		C: SIZE f\r\n
		S: 213 1\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"ftp as user: our password, not the URL's", "ftp://ftp:secret@{at}/", `
		S: 220 x\r\n
		C: USER ftp\r\n
		S: 331 ok\r\n
		C: PASS archive@lib.example\r\n
		S: 230 in\r\n
		C: TYPE I\r\n
		S: 200 ok\r\n` + quit, check.OK, "ftp-230", check.Strong},

	// TLS.
	{"TLS required, refused", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 530 Anonymous sessions must use encryption.\r\n
		S: <closes>` + gone + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 502 no\r\n` + quit, check.Auth, "tls-required", check.None},
	{"534", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 534 Policy requires SSL\r\n` + quit + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 504 no\r\n` + quit, check.Auth, "tls-required", check.None},
	{"522", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 522 protection\r\n` + quit + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 234 go\r\n
		S: <resets>`, check.Auth, "tls-required", check.None},
	{"TLS required and given", "ftp://{at}/f", `
		S: 220 x\r\n
		C: USER anonymous\r\n
		S: 550 SSL/TLS required on the control channel\r\n` + quit + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 234 Proceed\r\n
		S: <tls>
		C: PBSZ 0\r\n
		S: 200 ok\r\n
		C: PROT P\r\n
		S: 200 ok\r\n
		C: USER anonymous\r\n
		S: 230 in\r\n
		C: TYPE I\r\n
		S: 200 ok\r\n
		C: SIZE f\r\n
		S: 213 3\r\n` + quit, check.OK, "ftp-213", check.Strong},

	// Others.
	{"an HTTP server", "ftp://{at}/f", `
		S: HTTP/1.1 400 Bad Request\r\n\r\n
		S: <closes>` + gone, check.Undetermined, "protocol-mismatch", check.None},
	{"a mail server", "ftp://{at}/f", `
		S: 220 mail.lib ESMTP Postfix\r\n` + quit, check.Undetermined, "protocol-mismatch", check.None},
	{"a news server", "ftp://{at}/f", `
		S: 200 news ready\r\n` + quit, check.Undetermined, "protocol-mismatch", check.None},
	{"garbled in the middle", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: what do you want\r\n` + quit, check.Undetermined, "garbled", check.None},
	{"cut in the middle", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: <closes>` + gone, check.Temporary, "eof", check.Weak},
	{"reset in the middle", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: <resets>`, check.Temporary, "tcp-reset", check.Weak},
}

func TestRows(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, strings.Split(r.script, next)...)
			p := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"}})
			got := p.Probe(context.Background(), check.Target{URI: s.URI(r.url)})
			if got.Outcome != r.outcome || got.Reason != r.reason || got.Evidence != r.evidence {
				t.Errorf("%s(%s) %s, want %s(%s) %s; reply %q", got.Outcome, got.Reason, got.Evidence,
					r.outcome, r.reason, r.evidence, got.Reply)
			}
			if secure := strings.Contains(r.script, "<tls>"); secure != (len(got.Flags) > 0) {
				t.Errorf("flags %q", got.Flags)
			}
			if _, listed := got.Reason.Meaning(); !listed {
				t.Errorf("reason %s is not on the list", got.Reason)
			}
		})
	}
}

// file://host is anonymous FTP at port 21: seed 004 (UDI).
func TestUDI(t *testing.T) {
	s := labtest.Serve(t, in+`
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: SIZE a b\r\n
		S: 213 3\r\n`+quit)
	p := New(Options{Options: check.Options{Dialer: s.DialerFor("ftp.lib.edu:21"), Timeout: 2 * time.Second, Contact: "archive@lib.example"}})
	got := p.Probe(t.Context(), check.Target{URI: s.URI("file://ftp.lib.edu/pub/a%20b")})
	if got.Outcome != check.OK || got.Reason != "ftp-213" {
		t.Errorf("%s(%s) %q", got.Outcome, got.Reason, got.Reply)
	}
}
