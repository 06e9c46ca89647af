package config

import (
	"log/slog"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Config is the settings in force. It is made by Load or Default and not changed afterwards.
type Config struct {
	HTTPAddr    string // host:port
	SMTPAddr    string // host:port; empty: off
	LMTPAddr    string // host:port or unix:/path; empty: off
	SubmitAddr  string // host:port, for mail to be sent; empty: off
	MetricsAddr string // host:port; empty: off

	Database Database
	BlobURL  mailbox.Secret // of the bucket for large messages; empty: the data folder
	Backup   Backup

	Encryption   bool           // what mail says is encrypted, with a key for each mailbox
	MasterKey    string         // file with the key that wraps those keys; empty: in the data folder
	MasterKeyURL mailbox.Secret // of a key service that has it instead; empty: none

	DataDir        string
	Domains        []string // lower case, ASCII form; the first is for new mailboxes
	DomainMismatch string   // MismatchRefuse or MismatchAllow
	Hostname       string   // the name in the SMTP greeting
	Mailbox        string   // address of the operator's configured mailbox, on one of Domains
	TLS            TLS
	ACME           ACME

	Secret        mailbox.Secret // empty: kept in the data folder, made at the first start; so are the next two
	AuthToken     mailbox.Secret
	WebhookSecret mailbox.Secret
	SecretOld     mailbox.Secret // what Secret was before; empty: nothing else

	SecretMaxAge        time.Duration // after which mailkin doctor advises to replace secrets; 0: never
	WebhookAllowPrivate PrivateTargets
	WebhookTimeout      time.Duration
	Outbound            Outbound
	EmbeddingsURL       mailbox.Secret // of the service that makes vectors; empty: the program itself

	OIDC           OIDC
	PublicURL      string // where people and agents reach the HTTP API, without a slash at its end; empty: as they ask
	TrustedProxies []netip.Prefix
	ProxyProtocol  []string // names of the listeners on which TrustedProxies begin with a PROXY header
	Doors          []string // names of the services whose interfaces are served too
	Onboarding     Onboarding
	DNS            string // resolver for checking senders: DNSSystem, DNSOff, or host:port
	CatchAll       CatchAll
	ReceiveAction  string // what is done with mail that the receiving lists do not let in
	QuarantineKept time.Duration
	STS            string // mode of the MTA-STS policies that are served: STSOff, STSTesting, STSEnforce
	RejectDMARC    bool   // mail that fails DMARC is refused where the sender's policy asks for it
	SendReports    bool   // DMARC and TLS reports are sent to domains that ask for them
	Scanner        Scanner
	DNSBL          DNSBL
	AuthFailures   AuthFailures
	Rates          Rates
	KeyGrace       time.Duration // of a rotated key
	CodeWindow     time.Duration
	EventsKept     time.Duration

	Limits  mailbox.Limits
	HTTP    HTTP
	SMTP    SMTP
	MinFree FreeSpace

	Trace         Trace
	RejectsKept   int
	AuditsKept    float64 // days; 0: for good
	ShutdownGrace time.Duration
	LogLevel      slog.Level
	LogFormat     string // LogText or LogJSON
}

// Backup is where generations of backups are kept.
type Backup struct {
	To      mailbox.Secret // a folder, or the URL of a bucket with its keys; empty: the command says where
	KeyFile string         // with the secret of the repository; empty: in the data folder
	Keep    int            // generations
}

// CatchAll is how mail for every address is taken, as a test server does.
type CatchAll struct {
	On       bool
	Hosts    []string      // by which the routes without a key are asked, beside those of loopback; "*": by any
	StartTLS bool          // it is offered
	Messages int           // that are kept; 0: any number
	Age      time.Duration // for which they are kept; 0: for ever
}

// Database is where PostgreSQL is, for a deployment that uses it.
type Database struct {
	URL         mailbox.Secret // empty: the embedded store
	ListenURL   mailbox.Secret // for the connection that hears what other nodes do; empty: URL
	StandbyURL  mailbox.Secret // answers reads; empty: the primary does
	Connections int            // 0: as many as suit the machine
	Partitions  int            // of the large tables, when they are made
	Pooler      bool           // connections are shared between transactions
}

// The forms a log can have.
const (
	LogText = "text"
	LogJSON = "json"
)

// Onboarding is how agents come to mailboxes.
type Onboarding struct {
	Bootstrap   bool // temporary mailboxes are given out
	ClientLimit int  // to one client address in a UTC day; 0: no limit
	TotalLimit  int
	Claim       string // who may confirm a claim: ClaimOff, ClaimOperator, ClaimOpen

	RetireAddresses time.Duration // how long the address of a deleted mailbox cannot be claimed
}

// What a start does where no mailbox is on a domain that is served.
const (
	MismatchRefuse = "refuse"
	MismatchAllow  = "allow"
)

// What is done with mail that the receiving lists do not let in.
const (
	ReceiveRefuse     = "refuse"
	ReceiveQuarantine = "quarantine"
)

// OIDC is the OpenID provider at which people sign in for the console.
type OIDC struct {
	Issuer       string // empty: none
	ClientID     string
	ClientSecret mailbox.Secret
	Scopes       []string
	Claim        string                  // whose values give roles
	Roles        map[string]mailbox.Role // by value
	Session      time.Duration           // how long a session lasts at most
}

// Scanner is the spam and virus scanner that mail from outside is shown to.
type Scanner struct {
	URL         mailbox.Secret // empty: none
	Timeout     time.Duration
	Connections int
	MaxSize     int64
	Failure     string // ScannerAccept or ScannerDefer
	Reject      string // ScannerRejectOff, ScannerRejectVirus or ScannerRejectSpam
}

// What is done with mail that could not be scanned, and what is refused.
const (
	ScannerAccept      = "accept"
	ScannerDefer       = "defer"
	ScannerRejectOff   = "off"
	ScannerRejectVirus = "virus"
	ScannerRejectSpam  = "spam"
)

// DNSBL is the DNS block lists that clients are looked up in.
type DNSBL struct {
	Zones  []string // none: nothing is looked up
	Action string   // DNSBLLabel or DNSBLReject
}

// What is done with mail of clients that a block list has.
const (
	DNSBLLabel  = "label"
	DNSBLReject = "reject"
)

// Resolvers that have no address.
const (
	DNSSystem = "system"
	DNSOff    = "off"
	dnsAuto   = "auto"
)

// Who may confirm a claim.
const (
	ClaimOff      = "off"
	ClaimOperator = "operator"
	ClaimOpen     = "open"
)

// Rates are how many requests over HTTP may be made in a minute; 0: any number.
type Rates struct {
	Key     int // with one key
	Address int // from one client address
}

// AuthFailures is how many log-ins of one client address may fail in an hour; 0: any number.
type AuthFailures struct {
	HTTP  int
	Login int // SMTP submission
}

// HTTP bounds what clients can take of the HTTP listeners.
type HTTP struct {
	MaxConns        int // 0: the program finds a bound
	MaxConnsPerAddr int // the same
}

// SMTP bounds what one client can take of the mail listeners.
type SMTP struct {
	MaxRecipients   int // of one message
	MaxConns        int
	MaxConnsPerAddr int
	MaxErrors       int // replies of 4xx and 5xx before the session is closed
	CommandTimeout  time.Duration
	DataTimeout     time.Duration // between two reads of a message
	SessionTimeout  time.Duration
}

// TLS is where the certificate comes from.
type TLS struct {
	Mode     TLSMode
	CertFile string // with TLSFiles
	KeyFile  string
	Email    string // with TLSACME: whom the authority writes to
}

// ACME is where certificates come from with TLSACME.
type ACME struct {
	Directory string // URL
	HTTPAddr  string // host:port, for challenges over plain HTTP; empty: off
}

// TLSMode is how a deployment has its certificate.
type TLSMode string

const (
	// TLSOff serves plain HTTP. STARTTLS is offered all the same, with a certificate of our own making that is kept in
	// the data folder: senders do not verify it, and an encrypted hop is better than an open one.
	TLSOff TLSMode = "off"
	// TLSFiles serves HTTPS and STARTTLS with the certificate and key in two files.
	TLSFiles TLSMode = "files"
	// TLSACME serves both with certificates that an authority gives and renews by itself (RFC 8555).
	TLSACME TLSMode = "acme"
)

// PrivateTargets says which webhook targets may be on loopback and private addresses.
type PrivateTargets struct {
	Auto     bool // All was decided by the mail domain
	All      bool
	Networks []netip.Prefix
}

// Allows tells whether a webhook may go to addr although it is not a public address. Link-local addresses are where
// clouds hand out a machine's credentials: they must be named.
func (p PrivateTargets) Allows(addr netip.Addr) bool {
	addr = addr.Unmap()
	if p.All && !addr.IsLinkLocalUnicast() {
		return true
	}
	for _, n := range p.Networks {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// FreeSpace is how much of the disk must stay free for mail to be taken. A zero field is not a bound.
type FreeSpace struct {
	Bytes   uint64
	Percent float64
}

// Bound is the number of bytes that must be free on a disk of the given size: the smaller of the two bounds, so that
// 1GB,5% neither locks up a small disk nor keeps hundreds of gigabytes of a large one idle.
func (f FreeSpace) Bound(diskSize uint64) uint64 {
	part := uint64(float64(diskSize) * f.Percent / 100)
	switch {
	case f.Percent == 0:
		return f.Bytes
	case f.Bytes == 0:
		return part
	}
	return min(f.Bytes, part)
}

// Default is the configuration of a start without any settings.
func Default() Config {
	c, err := Load(Source{})
	if err != nil {
		panic(err) // a default that its own parser refuses; the tests load it
	}
	return c
}

// TokenFile is where the operator credential is kept when AUTH_TOKEN does not give it.
func (c Config) TokenFile() string { return filepath.Join(c.DataDir, "token") }

// SecretFile is where the root of the derived secrets is kept when MAILKIN_SECRET does not give it.
func (c Config) SecretFile() string { return filepath.Join(c.DataDir, "secret") }

// WebhookSecretFile is where the webhook secret is kept when WEBHOOK_SECRET does not give it.
func (c Config) WebhookSecretFile() string { return filepath.Join(c.DataDir, "webhook-secret") }
