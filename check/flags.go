package check

import _ "embed"

// Flag is a remark on a result: it never decides an outcome (OUTCOMES section
// 1.1). Each has a row in flags.txt.
type Flag string

// The flags.
const (
	FlagChanging           Flag = "changing"
	FlagContentTypeChanged Flag = "content-type-changed"
	FlagCredentialsInURL   Flag = "credentials-in-url"
	FlagDocIDUnverified    Flag = "docid-unverified"
	FlagDrift              Flag = "drift"
	FlagErrorTitle         Flag = "error-title"
	FlagFormRefused        Flag = "form-refused"
	FlagFragmentMissing    Flag = "fragment-missing"
	FlagIncomplete         Flag = "incomplete"
	FlagMadeByScript       Flag = "made-by-script"
	FlagMetaRefresh        Flag = "meta-refresh"
	FlagMultipleChoices    Flag = "multiple-choices"
	FlagOtherSite          Flag = "other-site"
	FlagPersistentID       Flag = "persistent-id"
	FlagProxied            Flag = "proxied"
	FlagReferral           Flag = "referral"
	FlagRepairLives        Flag = "repair-lives"
	FlagSchemeUpgrade      Flag = "scheme-upgrade"
	FlagScriptRedirect     Flag = "script-redirect"
	FlagSecondOpinion      Flag = "second-opinion"
	FlagSlow               Flag = "slow"
	FlagTLSExpired         Flag = "tls-expired"
	FlagTLSName            Flag = "tls-name"
	FlagTLSOld             Flag = "tls-old"
	FlagTLSUntrusted       Flag = "tls-untrusted"
	FlagTrailingSlash      Flag = "trailing-slash"
	FlagUndefinedRetrieval Flag = "undefined-retrieval"
	FlagURLCut             Flag = "url-cut"
)

//go:embed flags.txt
var flagsText string

// Flags lists every flag that a Result may carry, sorted.
func Flags() []Meaning { return readMeanings(flagsText) }
