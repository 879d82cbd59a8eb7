package ftp

import "linkcheck/check"

// loginRows are those of the greeting, the login, TLS, and what is no FTP.
var loginRows = []row{
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
	{"TLS required of one with a password, refused", "ftp://alice:secret@{at}/", `
		S: 220 ready\r\n
		C: USER alice\r\n
		S: 530 This server requires TLS\r\n` + quit + next + `
		S: 220 ready\r\n
		C: AUTH TLS\r\n
		S: 502 no\r\n` + quit, check.Auth, "tls-required", check.None},
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
	{"max 10 users", "ftp://{at}/", user + pass + `
		S: 530 max 10 users, try again later\r\n` + quit, check.Temporary, "full", check.Weak},
	{"202 to the password", "ftp://{at}/f", user + pass + `
		S: 202 superfluous\r\n
		C: TYPE I\r\n
		S: 200 ok\r\n
		C: SIZE f\r\n
		S: 213 1\r\n` + quit, check.OK, "ftp-213", check.Strong},
	{"202 to the user", "ftp://{at}/f", user + `
		S: 202 superfluous\r\n` + quit, check.Undetermined, "ftp-202", check.None},
	{"530 after anonymous", "ftp://{at}/f", user + `
		S: 530 This FTP server does not allow anonymous logins.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"530 after the password", "ftp://{at}/f", user + pass + `
		S: 530 Login incorrect.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"332 wants an account", "ftp://{at}/f", user + `
		S: 332 Need account for login.\r\n` + quit, check.Auth, "ftp-332", check.None},
	{"430 on login", "ftp://{at}/f", user + `
		S: 430 Invalid username\r\n` + quit, check.Auth, "ftp-430", check.None},
	{"425 on login", "ftp://{at}/f", user + `
		S: 425 later\r\n` + quit, check.Temporary, "ftp-425", check.Weak},
	{"426 on login", "ftp://{at}/f", user + `
		S: 426 later\r\n` + quit, check.Temporary, "ftp-426", check.Weak},
	{"500 on login", "ftp://{at}/f", user + `
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
	{"TLS required, refused", "ftp://{at}/f", user + `
		S: 530 Anonymous sessions must use encryption.\r\n
		S: <closes>` + gone + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 502 no\r\n` + quit, check.Auth, "tls-required", check.None},
	{"534", "ftp://{at}/f", user + `
		S: 534 Policy requires SSL\r\n` + quit + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 504 no\r\n` + quit, check.Auth, "tls-required", check.None},
	{"522", "ftp://{at}/f", user + `
		S: 522 protection\r\n` + quit + next + `
		S: 220 x\r\n
		C: AUTH TLS\r\n
		S: 234 go\r\n
		S: <resets>`, check.Auth, "tls-required", check.None},
	{"TLS required and given", "ftp://{at}/f", user + `
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
	{"a refusal that only sounds like a limit", "ftp://{at}/f", user + `
		S: 530 Access is limited to members of the university.\r\n` + quit, check.Auth, "ftp-530", check.None},
	{"a limit in other words", "ftp://{at}/f", user + `
		S: 530 Anonymous access is limited to 20 users.\r\n` + quit, check.Temporary, "full", check.Weak},
	{"closes at once", "ftp://{at}/f", `
		S: <closes>`, check.Temporary, "closed", check.Weak},
	{"a telnet host that waits", "ftp://{at}/f", `
		S: \xff\xfd\x18\xff\xfd\x20
		S: <silent>`, check.Undetermined, "protocol-mismatch", check.None},
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
