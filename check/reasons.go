package check

import (
	_ "embed"
	"strconv"
	"strings"
)

// Reason says in one word why a probe ended with its outcome. The words are
// stored and printed: they do not change. Each has a row in reasons.txt, and
// sentences for readers in report/words.
type Reason string

// The reasons.
const (
	// Of every protocol.
	ReasonCancelled        Reason = "cancelled"
	ReasonControlCharacter Reason = "control-character"
	ReasonDNSNoAddress     Reason = "dns-no-address"
	ReasonDNSNXDomain      Reason = "dns-nxdomain"
	ReasonDNSServFail      Reason = "dns-servfail"
	ReasonDNSTimeout       Reason = "dns-timeout"
	ReasonEmpty            Reason = "empty"
	ReasonEOF              Reason = "eof"
	ReasonExcluded         Reason = "excluded"
	ReasonFileDenied       Reason = "file-denied"
	ReasonFileExists       Reason = "file-exists"
	ReasonFileMissing      Reason = "file-missing"
	ReasonFileOtherHost    Reason = "file-other-host"
	ReasonFileOutside      Reason = "file-outside"
	ReasonGarbled          Reason = "garbled"
	ReasonHeldBack         Reason = "held-back"
	ReasonHostBackoff      Reason = "host-backoff"
	ReasonInArchive        Reason = "in-archive"
	ReasonInternalError    Reason = "internal-error"
	ReasonLineTooLong      Reason = "line-too-long"
	ReasonLocalFile        Reason = "local-file"
	ReasonLocalName        Reason = "local-name"
	ReasonLocalResources   Reason = "local-resources"
	ReasonMailAddress      Reason = "mail-address"
	ReasonNamesOnly        Reason = "names-only"
	ReasonNoClient         Reason = "no-client"
	ReasonNoCNRPService    Reason = "no-cnrp-service"
	ReasonNoNewsServer     Reason = "no-news-server"
	ReasonNoResolver       Reason = "no-resolver"
	ReasonNoRoute          Reason = "no-route"
	ReasonNotALink         Reason = "not-a-link"
	ReasonNotRegistered    Reason = "not-registered"
	ReasonOwnNetwork       Reason = "own-network"
	ReasonPanic            Reason = "panic"
	ReasonPortDenied       Reason = "port-denied"
	ReasonPrivateAddress   Reason = "private-address"
	ReasonProtocolMismatch Reason = "protocol-mismatch"
	ReasonRegistered       Reason = "registered"
	ReasonReservedName     Reason = "reserved-name"
	ReasonSchemeUnknown    Reason = "scheme-unknown"
	ReasonTCPRefused       Reason = "tcp-refused"
	ReasonTCPReset         Reason = "tcp-reset"
	ReasonTCPTimeout       Reason = "tcp-timeout"
	ReasonTimeout          Reason = "timeout"
	ReasonTLSExpired       Reason = "tls-expired"
	ReasonTLSHandshake     Reason = "tls-handshake"
	ReasonTLSName          Reason = "tls-name"
	ReasonTLSRequired      Reason = "tls-required"
	ReasonTLSUntrusted     Reason = "tls-untrusted"
	ReasonTooLong          Reason = "too-long"

	// Of http and https.
	ReasonAnswersDiffer      Reason = "answers-differ"
	ReasonChallenge          Reason = "challenge"
	ReasonClientCertificate  Reason = "client-certificate"
	ReasonLoginPage          Reason = "login-page"
	ReasonMadeByScript       Reason = "made-by-script"
	ReasonNoAccess           Reason = "no-access"
	ReasonParked             Reason = "parked"
	ReasonRedirectInvalid    Reason = "redirect-invalid"
	ReasonRedirectLoop       Reason = "redirect-loop"
	ReasonRedirectNoLocation Reason = "redirect-no-location"
	ReasonRedirectScheme     Reason = "redirect-scheme"
	ReasonRedirectSink       Reason = "redirect-sink"
	ReasonRedirectToError    Reason = "redirect-to-error"
	ReasonRedirectToRoot     Reason = "redirect-to-root"
	ReasonRedirectTooMany    Reason = "redirect-too-many"
	ReasonRobots             Reason = "robots"
	ReasonSoft404            Reason = "soft-404"

	// Of ftp, gopher, nntp, news, telnet, finger, whois, cso and dict.
	ReasonAccessList       Reason = "access-list"
	ReasonClosed           Reason = "closed"
	ReasonCSOAnswer        Reason = "cso-answer"
	ReasonDictFewer        Reason = "dict-fewer"
	ReasonErrorText        Reason = "error-text"
	ReasonFingerAnswer     Reason = "finger-answer"
	ReasonFTPIsAFile       Reason = "ftp-is-a-file"
	ReasonFull             Reason = "full"
	ReasonGopherBusy       Reason = "gopher-busy"
	ReasonGopherError1     Reason = "gopher-error-1"
	ReasonGopherError2     Reason = "gopher-error-2"
	ReasonGopherError3     Reason = "gopher-error-3"
	ReasonGopherErrorItem  Reason = "gopher-error-item"
	ReasonGopherErrorText  Reason = "gopher-error-text"
	ReasonGopherErrorOther Reason = "gopher-error-other"
	ReasonGopherItem       Reason = "gopher-item"
	ReasonGopherMenu       Reason = "gopher-menu"
	ReasonGopherNotAMenu   Reason = "gopher-not-a-menu"
	ReasonGopherNotPlus    Reason = "gopher-not-plus"
	ReasonGopherService    Reason = "gopher-service"
	ReasonListed           Reason = "listed"
	ReasonSearchNoHit      Reason = "search-no-hit"
	ReasonSecretHidden     Reason = "secret-hidden"
	ReasonTCPAccepted      Reason = "tcp-accepted"
	ReasonTelnetAnswer     Reason = "telnet-answer"
	ReasonTelnetSilent     Reason = "telnet-silent"

	// Of imap.
	ReasonIMAPAnswer  Reason = "imap-answer"
	ReasonIMAPBad     Reason = "imap-bad"
	ReasonIMAPBye     Reason = "imap-bye"
	ReasonIMAPLogin   Reason = "imap-login"
	ReasonIMAPMissing Reason = "imap-missing"
	ReasonIMAPNo      Reason = "imap-no"

	// Of z39.50, wais, prospero and go.
	ReasonCNRPFound             Reason = "cnrp-found"
	ReasonCNRPNoItem            Reason = "cnrp-no-item"
	ReasonCNRPOtherItem         Reason = "cnrp-other-item"
	ReasonCNRPReferral          Reason = "cnrp-referral"
	ReasonCNRPService           Reason = "cnrp-service"
	ReasonNoUDPReply            Reason = "no-udp-reply"
	ReasonProsperoAnswer        Reason = "prospero-answer"
	ReasonProsperoForwarded     Reason = "prospero-forwarded"
	ReasonProsperoNotADirectory Reason = "prospero-not-a-directory"
	ReasonProsperoNotAuthorized Reason = "prospero-not-authorized"
	ReasonProsperoNotFound      Reason = "prospero-not-found"
	ReasonProsperoObject        Reason = "prospero-object"
	ReasonProsperoServerFailed  Reason = "prospero-server-failed"
	ReasonWAISAnswer            Reason = "wais-answer"
	ReasonWAISDatabase          Reason = "wais-database"
	ReasonWAISDenied            Reason = "wais-denied"
	ReasonWAISDiagnostic        Reason = "wais-diagnostic"
	ReasonWAISHit               Reason = "wais-hit"
	ReasonWAISDocument          Reason = "wais-document"
	ReasonWAISNoDatabase        Reason = "wais-no-database"
	ReasonWAISNoDocument        Reason = "wais-no-document"
	ReasonZ3950AccessControl    Reason = "z3950-access-control"
	ReasonZ3950Diagnostic       Reason = "z3950-diagnostic"
	ReasonZ3950Hit              Reason = "z3950-hit"
	ReasonZ3950Init             Reason = "z3950-init"
	ReasonZ3950NoHit            Reason = "z3950-no-hit"
	ReasonNotUnique             Reason = "not-unique"
	ReasonZ3950Rejected         Reason = "z3950-rejected"

	// Of ssh, sftp, ftps, rsync, ldap and nfs.
	ReasonLDAPAnswer     Reason = "ldap-answer"
	ReasonRPCAnswer      Reason = "rpc-answer"
	ReasonRsyncLogin     Reason = "rsync-login"
	ReasonRsyncModule    Reason = "rsync-module"
	ReasonRsyncNoModule  Reason = "rsync-no-module"
	ReasonServerGreeting Reason = "server-greeting"
)

// ReasonURI is the reason for a text that uri.Parse refused with this code.
func ReasonURI(code string) Reason { return Reason("uri-" + code) }

// ReasonHTTP is the reason for an HTTP status.
func ReasonHTTP(status int) Reason { return numbered("http-", status) }

// ReasonFTP is the reason for the reply code of an FTP server.
func ReasonFTP(code int) Reason { return numbered("ftp-", code) }

// ReasonNNTP is the reason for the response code of a news server.
func ReasonNNTP(code int) Reason { return numbered("nntp-", code) }

// ReasonDict is the reason for the status code of a dictionary server.
func ReasonDict(code int) Reason { return numbered("dict-", code) }

// ReasonGemini is the reason for the status of a Gemini server.
func ReasonGemini(status int) Reason { return numbered("gemini-", status) }

// ReasonRTSP is the reason for the status of a server of RTSP.
func ReasonRTSP(status int) Reason { return numbered("rtsp-", status) }

// ReasonCNRP is the reason for the status of a resolution service: 421 for "4.2.1".
func ReasonCNRP(digits string) Reason { return Reason("cnrp-" + digits) }

// ReasonZ3950 is the reason for a Bib-1 diagnostic of a Z39.50 server.
func ReasonZ3950(diagnostic int) Reason { return numbered("z3950-", diagnostic) }

// ReasonZ3950Close is the reason for the closeReason of a Z39.50 server.
func ReasonZ3950Close(reason int) Reason { return numbered("z3950-close-", reason) }

func numbered(family string, n int) Reason { return Reason(family + strconv.Itoa(n)) }

// Meaning is a row of the closed list of reasons, or of that of flags.
type Meaning struct {
	Code string `json:"code"` // NNN stands for the server's number, * for the code of uri.Error
	Says string `json:"says"`
}

//go:embed reasons.txt
var reasonsText string

// Reasons lists every reason that a Result may carry, sorted by code.
func Reasons() []Meaning { return readMeanings(reasonsText) }

// readMeanings reads lines of a code, a tab and its meaning.
func readMeanings(text string) (list []Meaning) {
	for line := range strings.Lines(text) {
		code, says, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, Meaning{code, says})
	}
	return list
}

// Meaning returns the row of r, or false for a reason that is not on the list.
func (r Reason) Meaning() (Meaning, bool) {
	for _, m := range Reasons() {
		if matches(m.Code, string(r)) {
			return m, true
		}
	}
	return Meaning{}, false
}

// matches compares a code with a pattern: NNN is one to five digits, * anything.
func matches(pattern, code string) bool {
	if stem, ok := strings.CutSuffix(pattern, "NNN"); ok {
		digits, ok := strings.CutPrefix(code, stem)
		return ok && digits != "" && len(digits) <= 5 && strings.Trim(digits, "0123456789") == ""
	}
	if stem, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(code, stem) && len(code) > len(stem)
	}
	return pattern == code
}
