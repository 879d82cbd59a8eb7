package ftp

import "linkcheck/check"

// unasked is the ladder of a server that knows none of its questions about files.
const unasked = `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 502 no\r\n`

// pathRows are those of the path and the ladder: OUTCOMES 1.3 and 1.4, ftp, with
// the path rule of rfc1738bis section 2.2.2 and the words of real servers
// (PROTOCOLS 7.4, REAL-SERVERS E, the recorded sessions).
var pathRows = []row{
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
	{"CWD answered 200", "ftp://{at}/pub/", in + `
		C: CWD pub\r\n
		S: 200 CWD command ok\r\n` + quit, check.OK, "ftp-200", check.Strong},
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
		S: 501 CWD: missing argument\r\n
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
	{"CWD says that it is a file", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 550 f: Not a directory.\r\n` + quit, check.OK, "ftp-is-a-file", check.Strong},
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
	{"missing, bftpd's words: codes for the moment, reasons for good", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 451 Error: Unable to locate file.\r\n
		C: MDTM f\r\n
		S: 451 Error: Unable to locate file.\r\n
		C: MLST f\r\n
		S: 500 Unknown command: "MLST"\r\n
		C: CWD f\r\n
		S: 451 Error: No such file or directory.\r\n` + quit, check.Gone, "ftp-451", check.Weak},
	{"directory on the way is missing, bftpd's words", "ftp://{at}/none/x", in + `
		C: CWD none\r\n
		S: 451 Error: No such file or directory.\r\n` + quit, check.Gone, "ftp-451", check.Weak},
	{"451 and 550: the code for good decides", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 451 Error: Unable to locate file.\r\n
		C: MDTM f\r\n
		S: 550 Error while determining the modification time: No such file or directory\r\n
		C: MLST f\r\n
		S: 500 Unknown command: "MLST"\r\n
		C: CWD f\r\n
		S: 451 Error: No such file or directory.\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"missing, goftp's words", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 450 path/fnot found\r\n
		C: MDTM f\r\n
		S: 450 File not available\r\n
		C: MLST f\r\n
		S: 500 Command not found\r\n
		C: CWD f\r\n
		S: 550 Directory change to /f failed: stat /srv/f: no such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"450 that may be either, RFC 959 section 4.2.1", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 500 no\r\n
		C: MDTM f\r\n
		S: 450 File not available\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 550 Failed to change directory.\r\n` + quit, check.Temporary, "ftp-450", check.Weak},
	{"a link that leads nowhere, Pure-FTPd's words", "ftp://{at}/dangling", in + `
		C: SIZE dangling\r\n
		S: 550 Can't check for file existence\r\n
		C: MDTM dangling\r\n
		S: 550 Can't check for file existence\r\n
		C: MLST dangling\r\n
		S: 250-Begin\r\n type=OS.unix=slink:;size=4;modify=20261120204400;UNIX.mode=0777;UNIX.uid=0;UNIX.gid=0;unique=30g1; dangling\r\n250 End.\r\n
		C: CWD dangling\r\n
		S: 550 Can't change directory to dangling: No such file or directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"a link to a directory, Pure-FTPd's words", "ftp://{at}/latest", in + `
		C: SIZE latest\r\n
		S: 550 I can only retrieve regular files\r\n
		C: MDTM latest\r\n
		S: 550 I can only retrieve regular files\r\n
		C: MLST latest\r\n
		S: 250-Begin\r\n type=OS.unix=slink:;size=4; latest\r\n250 End.\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"a link, and nobody says that it leads nowhere", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 500 no\r\n
		C: MDTM f\r\n
		S: 500 no\r\n
		C: MLST f\r\n
		S: 250-Begin\r\n type=OS.unix=slink:/pub/f;size=4; f\r\n250 End.\r\n` + quit, check.OK, "ftp-250", check.Strong},
	{"450 on the ladder", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 450 f: file busy\r\n
		C: MDTM f\r\n
		S: 450 f: file busy\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 550 f: No such directory\r\n` + quit, check.Temporary, "ftp-450", check.Weak},
	{"550 about the server's own trouble", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 550 The process cannot access the file because it is being used by another process.\r\n
		C: MDTM f\r\n
		S: 550 f: Stale NFS file handle\r\n
		C: MLST f\r\n
		S: 500 no\r\n
		C: CWD f\r\n
		S: 550 f: Input/output error\r\n` + quit, check.Temporary, "ftp-550", check.Weak},
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
	{"gone in words that also speak of directories", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 550 f: not a plain file\r\n
		C: MDTM f\r\n
		S: 550 f: not a plain file\r\n
		C: MLST f\r\n
		S: 550 no\r\n
		C: CWD f\r\n
		S: 550 f: No such file, not a directory\r\n` + quit, check.Gone, "ftp-550", check.Strong},
	{"nothing known, NLST denied", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 502 no\r\n` + lists + `
		S: 550 f: Permission denied\r\n` + quit, check.Auth, "ftp-550", check.None},
	{"nothing known, nonsense at NLST", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 502 no\r\n` + lists + `
		S: hello\r\n` + quit, check.Undetermined, "ftp-502", check.None},
	{"nothing known, closed at NLST", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 550 f: No such file or directory\r\n` + lists + `
		S: <closes>`, check.Temporary, "eof", check.Weak},
	{"only CWD known, which says no such, NLST empty", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 550 f: No such file or directory\r\n` + lists + `
		S: 150 Here it comes\r\n
		D: \x0d
		S: 226 Directory send OK.\r\n` + quit, check.Gone, "ftp-550", check.Weak},
	{"nothing known, NLST empty", "ftp://{at}/f", in + `
		C: SIZE f\r\n
		S: 502 no\r\n
		C: MDTM f\r\n
		S: 502 no\r\n
		C: MLST f\r\n
		S: 504 no\r\n
		C: CWD f\r\n
		S: 502 no\r\n` + lists + `
		S: 150 Here comes the directory listing.\r\n
		D: ls: f: No such file or directory\r\n
		S: 226 Directory send OK.\r\n` + quit, check.Undetermined, "ftp-502", check.None},
	{"nothing known, NLST says no", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 502 no\r\n` + lists + `
		S: 450 /f: No such file or directory\r\n` + quit, check.Gone, "ftp-450", check.Weak},
	{"nothing known, NLST only over TLS, 1.4", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 502 no\r\n` + lists + `
		S: 522 Data connections must be encrypted.\r\n` + quit + next + `
		S: 220 ready\r\n
		C: AUTH TLS\r\n
		S: 502 no\r\n` + quit, check.Auth, "tls-required", check.None},
	{"nothing known, no data port to be had", "ftp://{at}/f", in + unasked + `
		C: CWD f\r\n
		S: 502 no\r\n
		C: EPSV\r\n
		S: 229 ok (|||22|)\r\n` + quit, check.Undetermined, "ftp-502", check.None},
}
