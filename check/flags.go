package check

// Flags lists every flag that a Result may carry, sorted. A flag is a remark: it
// never decides an outcome. OUTCOMES section 1.1.
func Flags() []Meaning {
	return []Meaning{
		{"content-type-changed", "the document is of another type than when it was last seen"},
		{"credentials-in-url", "the address holds a user name or a password, which was not sent"},
		{"docid-unverified", "the server lives, but could not be asked for this very document"},
		{"drift", "the text is another than when it was last seen"},
		{"form-refused", "the record is there, but not in the form that the address asks for"},
		{"fragment-missing", "the page lacks the place that the fragment names"},
		{"incomplete", "the answer broke off"},
		{"meta-refresh", "the page sends its readers elsewhere"},
		{"multiple-choices", "the server offers several versions"},
		{"persistent-id", "the address is a persistent identifier: its redirects are its service"},
		{"proxied", "the address leads through a library's proxy"},
		{"referral", "the service refers to another"},
		{"scheme-upgrade", "the site moved from http to https"},
		{"slow", "the answer took more than five seconds"},
		{"tls-expired", "the certificate has expired"},
		{"tls-name", "the certificate is for another name"},
		{"tls-old", "the server speaks only versions of TLS that are no longer safe"},
		{"tls-untrusted", "the certificate's issuer is not known"},
		{"trailing-slash", "the server adds or drops the final slash"},
		{"undefined-retrieval", "the address asks for a record and names none (RFC 2056 section 4)"},
	}
}
