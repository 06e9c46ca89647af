package config

import (
	"flag"
	"strings"
)

// Setting is what people see of a row of the table.
type Setting struct {
	Group    string
	Key      string // in the file
	Variable string
	Flag     string // without the dashes; empty: none
	Default  string
	Help     string   // one sentence
	Words    []string // the words that it takes, or some of what it takes; empty where any text may be right
	Secret   bool
	Live     bool // a change counts when the server is told to read its settings again; others need a restart
}

// row is a setting and where its value goes. Set parses a value into the Config, or says what is right; String gives
// the value in force in the form Set takes.
type row struct {
	Setting
	value flag.Value
	made  bool // it is made at the first start where it is not set
	// another variable that gives it, by which programs of all kinds are told the same; empty: there is none
	alias string
}

// configKey names the settings file itself, the one setting that cannot come from the file.
const configKey = "config"

// builtinDomain is the mail domain of a first try. Names under localhost never leave the machine (RFC 6761 6.3).
const builtinDomain = "mailkin.localhost"

// table binds every setting to its field of c.
func table(c *Config) []row {
	b := builder{}

	b.group("Listening")
	b.add("http_addr", "127.0.0.1:8025", "Where the HTTP API listens.", address(&c.HTTPAddr))
	b.add("smtp_addr", "127.0.0.1:2525", "Where mail is taken by SMTP; empty or off for nowhere.",
		optionalAddress(&c.SMTPAddr))
	b.add("lmtp_addr", "", "Where mail is taken by LMTP from an MTA in front, as host:port or unix:/path; empty or "+
		"off for nowhere.", socketAddress(&c.LMTPAddr))
	b.add("submission_addr", "", "Where programs that only speak SMTP hand in mail to be sent, logging in over "+
		"STARTTLS with an address and its key; from this machine also without TLS while the certificate is "+
		"self-made; empty or off for nowhere.", optionalAddress(&c.SubmitAddr))
	b.add("metrics_addr", "", "An address of its own for /metrics, open to anyone who reaches it; empty or off for none.",
		optionalAddress(&c.MetricsAddr))
	b.add("tls", "off", "Certificate for HTTPS and STARTTLS: off (plain HTTP; STARTTLS with a self-made "+
		"certificate), files:cert.pem,key.pem, or acme:you@example.com for one from an ACME authority, which writes "+
		"to that address.", (*tlsValue)(&c.TLS))
	b.add("acme_directory", "https://acme-v02.api.letsencrypt.org/directory", "The ACME authority, by the address of "+
		"its directory.", (*directoryURL)(&c.ACME.Directory))
	b.add("acme_http_addr", "", "Where the authority's questions over plain HTTP are answered, which it asks on port "+
		"80; anything else there is sent on to HTTPS; empty or off where the HTTPS port is enough, which it reaches "+
		"as 443.", optionalAddress(&c.ACME.HTTPAddr))
	b.add("proxy_protocol", "off", "Listeners behind a balancer that speaks the PROXY protocol, separated by commas: "+
		"http, smtp, lmtp, submission, acme; or off, or on for all. Connections from trusted_proxies must begin with "+
		"its header there.", nameSet{&c.ProxyProtocol, listenerNames, "listener"})
	b.add("doors", "on", "Interfaces of other services that are served for programs written for those, separated by "+
		"commas: agentmail, under /agentmail, resend, under /resend; or off, or on for all.",
		nameSet{&c.Doors, doorNames, "door"})

	b.add("http_max_conns", "0", "HTTP connections open at once; 0 for half of the files that the process may have "+
		"open. Above it idle ones are closed, and then new ones refused.", count{to: &c.HTTP.MaxConns, min: 0})
	b.add("http_max_conns_per_addr", "0", "Of these, from one IPv4 address or IPv6 /64, as trusted_proxies report "+
		"it; loopback and the proxies themselves are not counted; 0 for a quarter of http_max_conns.",
		count{to: &c.HTTP.MaxConnsPerAddr, min: 0})

	b.group("Identity")
	b.add("data_dir", "./mailkin-data", "Folder for everything that is kept.",
		text{to: &c.DataDir, want: "the path of a folder"})
	b.add("domain", builtinDomain, "Mail domains, separated by commas; new mailboxes are made on the first.",
		(*domains)(&c.Domains))
	b.add("domain_mismatch", MismatchRefuse, "What a start does where no mailbox is on a domain that is served, as "+
		"with a wrong domain: refuse or allow.", choice{to: &c.DomainMismatch, of: []string{MismatchRefuse,
		MismatchAllow}})
	b.add("hostname", "", "Name in the SMTP greeting; empty for the first mail domain.", (*hostname)(&c.Hostname))
	b.add("mta_sts", STSOff, "MTA-STS policy that is served for every mail domain under mta-sts. and its name: testing "+
		"(others report what would fail), enforce (others send only with TLS and a valid certificate), or off. It needs "+
		"HTTPS on port 443; with tls=acme the names of this setting's domains get certificates.",
		choice{to: &c.STS, of: []string{STSOff, STSTesting, STSEnforce}})
	b.add("mailbox", "", "Address of the operator's configured mailbox; empty for ops@ the first mail domain.",
		(*mailboxAddress)(&c.Mailbox))

	b.group("Storage")
	b.password("database_url", "Where everything is kept: postgres://user:password@host/database, for several nodes; "+
		"empty for the embedded store in the data folder.", databaseURL{&c.Database})
	b.add("database_connections", "0", "Connections to PostgreSQL of this node; 0 for four for each core and four more.", count{to: &c.Database.Connections, min: 0})
	b.add("database_pooler", "off", "Whether PostgreSQL is behind a pooler that shares connections between "+
		"transactions: on or off.", (*onOff)(&c.Database.Pooler))
	b.password("database_listen_url", "With such a pooler, where PostgreSQL itself is reached, for the one "+
		"connection that hears what other nodes do; empty for database_url.", secret{to: &c.Database.ListenURL, min: 1})
	b.password("database_standby_url", "A standby of PostgreSQL that answers what is only read, as soon as it has all "+
		"that was stored before; empty for none.", secret{to: &c.Database.StandbyURL, min: 1})
	b.add("database_partitions", "0", "Parts that the large tables are split into by mailbox, when an empty database "+
		"is set up; 0 for none. Several nodes share the work of the search index by these parts.", count{to: &c.Database.Partitions, min: 0})
	b.password("blob_url", "Where large messages are kept: "+
		"s3://key:secret@bucket/prefix?endpoint=https://host&region=name, for several nodes; empty for the data folder.", blobURL{&c.BlobURL})
	b.add("encryption", "off", "Whether what mail says is encrypted where it is kept, with a key for each mailbox that "+
		"is destroyed when the mailbox is deleted: on or off.", (*onOff)(&c.Encryption))
	b.add("master_key_file", "", "File with the master key, 32 characters or more, that wraps the keys of mailboxes; "+
		"empty for master-key in the data folder, which is made at the first start with encryption. Keep a copy "+
		"elsewhere.", text{to: &c.MasterKey, empty: true})
	b.password("master_key_url", "A key service that has the master key instead of a file: "+
		"https://:token@host:8200/transit/key of HashiCorp Vault's transit engine, or OpenBao's.",
		secret{to: &c.MasterKeyURL, min: 1})
	b.password("backup_to", "Where \"mailkin backup run\" keeps generations of backups: a folder, or "+
		"s3://key:secret@bucket/prefix?endpoint=https://host; empty where the command says it.",
		secret{to: &c.Backup.To, min: 1})
	b.add("backup_key_file", "", "File with the key of that repository, 32 characters or more; empty for backup-key in "+
		"the data folder, which is made by the first backup. Keep a copy elsewhere.", text{to: &c.Backup.KeyFile, empty: true})
	b.add("backup_keep", "7", "Generations of backups that are kept.", count{to: &c.Backup.Keep, min: 1})

	b.group("Secrets")
	b.secret("auth_token", "The operator credential, 16 characters or more; made at the first start where it is "+
		"not set.", secret{to: &c.AuthToken, min: 16})
	b.bare() // SPEC 5.6
	b.secret("webhook_secret", "Signs webhook bodies, 16 characters or more; made at the first start where it "+
		"is not set.", secret{to: &c.WebhookSecret, min: 16})
	b.bare() // SPEC 2.2
	b.secret("secret", "Root of the deployment's derived secrets, 32 characters or more; made at the first start "+
		"where it is not set.", secret{to: &c.Secret, min: 32})

	b.password("secret_old", "The earlier root secret, while secret is being changed: what was made with it goes "+
		"on working, and the keys of domains are re-encrypted at the start.", secret{to: &c.SecretOld, min: 32})
	b.live("secret_max_age", "8760h", "The age from which mailkin doctor advises to replace the deployment's secrets "+
		"and the keys of domains; 0s for never.", duration{to: &c.SecretMaxAge, zero: true})

	b.group("Limits")
	b.add("daily_send_limit", "100", "Messages a mailbox may send in a UTC day; 0 for no limit.",
		count{to: &c.Limits.DailySends, min: 0})
	b.bare() // SPEC 8
	b.add("limit_recipients", "50", "Recipients of a message that is sent: to, cc and bcc together.",
		count{to: &c.Limits.Recipients, min: 1})
	b.add("limit_subject", "998", "Characters in the subject of a message that is sent.",
		count{to: &c.Limits.SubjectChars, min: 1})
	b.add("limit_text", "500KB", "Plain text of a message that is sent.", (*size)(&c.Limits.TextBytes))
	b.add("limit_html", "1MB", "HTML of a message that is sent.", (*size)(&c.Limits.HTMLBytes))
	b.add("limit_attachment", "100MB", "One attachment, decoded, either way.", (*size)(&c.Limits.AttachmentBytes))
	b.add("limit_message", "100MB", "A whole message, decoded, attachments included, either way.",
		(*size)(&c.Limits.MessageBytes))
	b.add("limit_wire", "140MB", "A whole message as it comes over SMTP, LMTP or HTTP, still encoded.",
		(*size)(&c.Limits.WireBytes))
	b.add("limit_stream", "25s", "How long an event stream stays open.", duration{to: &c.Limits.StreamTime})
	b.add("limit_keepalive", "2s", "Silence on an event stream before a keepalive line.",
		duration{to: &c.Limits.Keepalive})
	b.add("limit_streams_per_mailbox", "256", "Event streams and waiting calls open at once per mailbox.",
		count{to: &c.Limits.StreamsPerMailbox, min: 1})
	b.add("limit_webhook_attempts", "4", "Attempts to deliver one event to a webhook.",
		count{to: &c.Limits.WebhookAttempts, min: 1})
	b.add("limit_webhook_failures", "10", "Events that fail one after the other before a webhook is marked failed.",
		count{to: &c.Limits.WebhookFailures, min: 1})
	b.add("limit_provisional_bytes", "100MB", "What a provisional mailbox may hold.",
		(*size)(&c.Limits.ProvisionalBytes))
	b.add("limit_provisional_messages", "1000", "How many messages a provisional mailbox may hold.",
		count64{to: &c.Limits.ProvisionalMessages, min: 1})
	b.add("limit_mailbox_bytes", "5GB", "What a permanent mailbox may hold, drafts included, where nothing else is "+
		"decided for it; mail is put off when it is full; 0 for no limit.", (*sizeOrNone)(&c.Limits.MailboxBytes))
	b.add("limit_mailbox_messages", "1000000", "How many messages a permanent mailbox may hold, likewise; 0 for no "+
		"limit.", count64{to: &c.Limits.MailboxMessages, min: 0})
	b.add("limit_inbound_per_hour", "0", "How many messages a mailbox takes in an hour of the clock, likewise; more "+
		"are put off; 0 for no limit.", count64{to: &c.Limits.InboundPerHour, min: 0})
	b.add("retention_inbound", "0", "Days after which received messages are deleted, where nothing else is decided "+
		"for the mailbox; 0 to keep them.", days{&c.Limits.Retention.Inbound})
	b.add("retention_outbound", "0", "The same for messages that were sent.", days{&c.Limits.Retention.Outbound})
	b.add("retention_labels", "", "Days for messages with a label, in place of these: newsletter=30,code=1; of "+
		"several labels the longest count, and 0 keeps.", (*labelDays)(&c.Limits.Retention.Labels))
	b.add("provisional_ttl", "72h", "How long a provisional mailbox and its key live.",
		duration{to: &c.Limits.ProvisionalTTL})

	b.group("Onboarding")
	b.live("bootstrap", "on", "Whether agents get temporary mailboxes without a key: on or off.",
		(*onOff)(&c.Onboarding.Bootstrap))
	b.live("bootstrap_ip_limit", "100", "Temporary mailboxes and claims for one client address in a UTC day; 0 for "+
		"no limit.", count{to: &c.Onboarding.ClientLimit, min: 0})
	b.live("bootstrap_global_limit", "10000", "Temporary mailboxes and claims for all clients together in a UTC day; "+
		"0 for no limit.", count{to: &c.Onboarding.TotalLimit, min: 0})
	b.add("claim", ClaimOperator, "Who may confirm that an agent gets a permanent mailbox: operator, open (anyone "+
		"with the link) or off.", choice{to: &c.Onboarding.Claim, of: []string{ClaimOff, ClaimOperator, ClaimOpen}})
	b.live("retire_addresses", "2160h", "How long nobody can claim the address of a deleted mailbox, except that the "+
		"operator can give it out again; 0s for not at all.", duration{to: &c.Onboarding.RetireAddresses, zero: true})
	b.add("public_url", "", "Where people and agents reach this service, such as https://mail.example.com; empty for "+
		"the address they ask.", (*webAddress)(&c.PublicURL))
	b.add("trusted_proxies", "", "Networks, separated by commas, whose X-Forwarded-For and X-Forwarded-Proto headers "+
		"are believed, and whose PROXY headers where proxy_protocol asks for them.", (*networks)(&c.TrustedProxies))
	b.live("auth_failure_limit", authAuto, "Failed log-ins from one IPv4 address or IPv6 /64 in an hour, over all "+
		"protocols together, before further wrong keys are told to wait; a right key never is. A number, 0 for no "+
		"limit, or auto: 20 for SMTP submission, none for HTTP.", (*authFailures)(&c.AuthFailures))
	b.live("rate_limit_key", "0", "Requests over HTTP with one key in a minute, on each node; a call that waits and a "+
		"stream count once; 0 for no limit. The operator's token has none.", count{to: &c.Rates.Key, min: 0})
	b.live("rate_limit_address", "0", "The same from one IPv4 address or IPv6 /64, as trusted_proxies report it; "+
		"loopback is not counted.", count{to: &c.Rates.Address, min: 0})
	b.live("key_grace", "0s", "How long the old key works on after a rotation.", duration{to: &c.KeyGrace, zero: true})

	b.group("Signing in")
	b.add("oidc_issuer", "", "The OpenID provider at which people sign in for the console, by its issuer exactly as it "+
		"names itself: https://id.example.com; empty for none. It needs public_url, and at the provider a client with "+
		"the redirect URI public_url/signin/callback and the post-logout redirect URI public_url/console.",
		(*issuer)(&c.OIDC.Issuer))
	b.add("oidc_client_id", "", "What this service is called at the provider.",
		text{to: &c.OIDC.ClientID, empty: true})
	b.password("oidc_client_secret", "The secret that the provider gave it; empty for a public client.",
		secret{to: &c.OIDC.ClientSecret, min: 1})
	b.add("oidc_roles", "", "Who is an operator by a claim, as role=value, separated by commas, such as "+
		"admin=mail-admins,view=staff; of several roles the most powerful counts. Others get in only by the address "+
		"of an operator (mailkin operator add --email).", oidcRoles{&c.OIDC.Roles})
	b.add("oidc_claim", "groups", "The claim with these values; realm_access.roles for one inside another; email for "+
		"addresses that the provider has verified.", text{to: &c.OIDC.Claim, want: "the name of a claim"})
	b.add("oidc_scopes", "openid profile email", "What the provider is asked for, separated by spaces; some give groups "+
		"only to those who ask for them.", scopes{&c.OIDC.Scopes})
	b.add("oidc_session", "12h", "How long a session lasts at most.", duration{to: &c.OIDC.Session})

	b.group("Reading")
	b.live("code_window", "15m", "How old a code may be that is asked for without a time.", duration{to: &c.CodeWindow})
	b.add("events_kept", "168h", "How far back events are replayed.", duration{to: &c.EventsKept})

	b.password("embeddings_url", "An OpenAI-compatible service that makes the vectors for search by meaning, "+
		"https://KEY@host/v1/embeddings?model=NAME; empty for the built-in encoder, which knows "+
		"English well and words of twenty other languages.",
		secret{to: &c.EmbeddingsURL, min: 1})

	b.group("Mail in")
	// RFC 5321 4.5.3.1.8
	b.add("smtp_max_recipients", "1000", "Recipients of one incoming message, at least 100.",
		count{to: &c.SMTP.MaxRecipients, min: 100})
	b.add("smtp_max_conns", "1000", "SMTP and LMTP connections open at once.", count{to: &c.SMTP.MaxConns, min: 1})
	b.add("smtp_max_conns_per_addr", "100", "Of these, from one client address.", count{to: &c.SMTP.MaxConnsPerAddr,
		min: 1})
	b.add("smtp_max_errors", "20", "Refused commands before a session is closed.", count{to: &c.SMTP.MaxErrors, min: 1})
	b.add("smtp_command_timeout", "5m", "How long a session may be silent between commands.",
		duration{to: &c.SMTP.CommandTimeout})
	b.add("smtp_data_timeout", "5m", "How long a session may be silent in the middle of a message.",
		duration{to: &c.SMTP.DataTimeout})
	b.add("smtp_session_timeout", "1h", "How long a session may last in all.", duration{to: &c.SMTP.SessionTimeout})
	b.add("min_free_disk", "1GB,5%", "Mail is put off while less of the disk is free: a size, a percentage, or both, "+
		"of which the smaller counts; 0 for no bound.", (*freeSpace)(&c.MinFree))
	b.add("rejects_kept", "10000", "How many refused mails are remembered for GET /v1/rejects.",
		count{to: &c.RejectsKept, min: 0})
	b.add("audit_retention", "0", "Days after which entries of the audit log are deleted; 0 to keep them.",
		days{&c.AuditsKept})

	b.add("dns", "auto", "Resolver for checking senders (SPF, DKIM, DMARC): system, host:port, off for no checks, or "+
		"auto: off while the mail domain is the built-in one, else system.", (*resolver)(&c.DNS))
	b.live("dmarc_reject", "off", "Whether mail is refused that fails DMARC where the sender's own policy asks for "+
		"it, or whose From names no author, or several, so that no policy can be asked: on or off. Reports of mail "+
		"systems that call themselves MAILER-DAEMON, without a domain, are taken and marked suspicious. Only for "+
		"clients with public addresses: from private and special ones (10/8, 100.64/10 and so on) nothing is "+
		"refused, so behind a balancer or NAT it needs proxy_protocol.", (*onOff)(&c.RejectDMARC))

	b.password("scanner_url", "A spam and virus scanner that mail from outside is shown to, in the HTTP protocol of "+
		"rspamd: http://127.0.0.1:11333; empty for none. Its verdict is in the labels spam and virus.",
		secret{to: &c.Scanner.URL, min: 1})
	b.add("scanner_timeout", "10s", "How long a scan may take, waiting for a free connection included.",
		duration{to: &c.Scanner.Timeout})
	b.add("scanner_connections", "16", "Scans at once.", count{to: &c.Scanner.Connections, min: 1})
	b.add("scanner_max_size", "20MB", "Messages larger than this are not scanned, and get the label unscanned.",
		(*size)(&c.Scanner.MaxSize))
	b.add("scanner_failure", ScannerAccept, "What is done with mail while the scanner does not answer: accept (with "+
		"the label unscanned) or defer (put off with 451; the sender tries again).",
		choice{to: &c.Scanner.Failure, of: []string{ScannerAccept, ScannerDefer}})
	b.add("scanner_reject", ScannerRejectOff, "What is refused in the SMTP session: off (nothing), virus, or spam: "+
		"viruses, and mail that the scanner wants rejected rather than marked.", choice{to: &c.Scanner.Reject,
		of: []string{ScannerRejectOff, ScannerRejectVirus, ScannerRejectSpam}})
	b.add("dnsbl", "", "DNS block lists, separated by commas, in which public addresses are looked up that bring mail "+
		"by SMTP, such as zen.example.org; trusted_proxies are not looked up. Behind a balancer or NAT it needs "+
		"proxy_protocol.", optional{(*domains)(&c.DNSBL.Zones)})
	b.add("dnsbl_action", DNSBLLabel, "What is done with mail of an address that is listed: label (blocklisted) or "+
		"reject (550 at RCPT TO, with the list's own words; mail for postmaster is taken).",
		choice{to: &c.DNSBL.Action, of: []string{DNSBLLabel, DNSBLReject}})

	b.live("receive_action", ReceiveRefuse, "What is done with mail that the receiving lists do not let in, "+
		"where a mailbox does not say: refuse (in the SMTP session) or quarantine (kept apart until a person releases "+
		"it).", choice{to: &c.ReceiveAction, of: []string{ReceiveRefuse, ReceiveQuarantine}})
	b.live("quarantine_kept", "720h", "How long mail stays in quarantine before it is deleted.",
		duration{to: &c.QuarantineKept})

	b.add("catch_all", "off", "Whether this is a test server: mail for every address of every domain is taken, each "+
		"address with a mailbox of its own, any log-in is accepted, nothing leaves the machine, and Mailpit's "+
		"routes show all of it without a key. It needs a data folder of its own: on or off.",
		(*onOff)(&c.CatchAll.On))
	b.add("catch_all_hosts", "", "Host names, separated by commas, by which the routes without a key may be asked "+
		"beside localhost and loopback addresses; * for any. Without one catch_all listens on loopback only.",
		(*hosts)(&c.CatchAll.Hosts))
	b.add("catch_all_messages", "5000", "How many captured messages are kept, of which the oldest go first; 0 for "+
		"any number.", count{to: &c.CatchAll.Messages, min: 0})
	b.add("catch_all_starttls", "on", "Whether catch_all offers STARTTLS: off for senders that use it wherever it is "+
		"offered, and then refuse a self-made certificate.", (*onOff)(&c.CatchAll.StartTLS))
	b.add("catch_all_age", "0s", "How long captured messages are kept; 0s for as long as there is room.",
		duration{to: &c.CatchAll.Age, zero: true})

	b.group("Mail out")
	b.add("outbound", string(OutboundCapture), "How mail leaves: capture (kept and shown, never sent), direct (to "+
		"the recipients' servers), smtp://user:password@host:587 or smtps:// (to a relay), resend://KEY (to that "+
		"provider), or off.", outboundWay{&c.Outbound})
	b.add("outbound_connections", "200", "Connections for sending, open at once.", count{to: &c.Outbound.Connections,
		min: 1})
	b.add("outbound_per_destination", "20", "Of these, to one destination.", count{to: &c.Outbound.PerDestination,
		min: 1})
	b.add("outbound_retry", "48h", "How long a delivery is tried before it is given up as bounced.",
		duration{to: &c.Outbound.RetryTime})
	b.live("review_expiry", "72h", "How long a message that a person has to approve waits for that, before it ends "+
		"without being sent.", duration{to: &c.Outbound.ReviewExpiry})
	b.live("reviewers", "", "Addresses, separated by commas, that are told by mail of messages which wait for approval, "+
		"with a link to decide, where the mailbox has no reviewers of its own.", (*reviewers)(&c.Outbound.Reviewers))
	b.add("outbound_port", "25", "Port of the recipients' servers, with direct; another one for tests and closed "+
		"networks.", count{to: &c.Outbound.Port, min: 1})
	b.add("outbound_allow_private", "auto", "Recipients' servers on loopback and private addresses, with direct: "+
		"true, false, a list of networks, or auto: only while the mail domain is the built-in one.",
		(*privateTargets)(&c.Outbound.AllowPrivate))
	b.add("uploads_mailbox_limit", "300MB", "Bytes that unfinished sends of one mailbox may have on the disk at "+
		"once: attachments that are being uploaded, and messages by submission. One message always fits.",
		(*size)(&c.Outbound.MailboxUploads))
	b.add("uploads_limit", "2GB", "The same for all mailboxes together, on each node.", (*size)(&c.Outbound.Uploads))
	b.live("global_send_limit", "0", "Messages that the whole deployment may send in a UTC day; 0 for no limit.",
		count{to: &c.Outbound.DailyCap, min: 0})
	b.live("loop_thread_limit", "20", "How often a mailbox may give the same answer to the same message on one thread "+
		"within an hour before that is taken for a mail loop; 0 for no limit.", count{to: &c.Outbound.LoopThread,
		min: 0})
	b.live("loop_peer_limit", "30", "The same to one recipient, on any threads.", count{to: &c.Outbound.LoopPeer,
		min: 0})
	b.live("brakes", "off", "Whether mailboxes are stopped that suddenly send far more than ever, write to strangers, "+
		"bounce or repeat themselves, unless something else was decided about a mailbox: on or off.",
		(*onOff)(&c.Outbound.Brakes))
	b.live("send_reports", "off", "Whether DMARC aggregate reports and TLS reports about other domains are sent to the "+
		"addresses that their DNS names, once a day: on or off. TLS is reported with direct only, and DMARC only of mail "+
		"from public addresses.", (*onOff)(&c.SendReports))
	b.add("resend_url", "https://api.resend.com", "Where the provider of resend:// is reached.",
		(*webAddress)(&c.Outbound.ProviderURL))
	b.password("resend_webhook_secret", "Signs that provider's callbacks to /v1/providers/resend, whsec_…; without "+
		"it they are not taken.", secret{to: &c.Outbound.ProviderSecret, min: 1})

	b.group("Webhooks")
	b.add("webhook_allow_private", "auto", "Webhook targets on loopback and private addresses: true, false, a list "+
		"of networks, or auto: only while the mail domain is the built-in one.",
		(*privateTargets)(&c.WebhookAllowPrivate))
	b.add("webhook_timeout", "10s", "How long an attempt to post an event may take, answer and all.",
		duration{to: &c.WebhookTimeout})

	b.group("Running")
	b.add("shutdown_grace", "10s", "How long a stop waits for what is in flight.", duration{to: &c.ShutdownGrace})
	b.add("trace_url", "", "Where traces are sent by OTLP over HTTP, such as http://127.0.0.1:4318; empty for nowhere. "+
		"The variable OTEL_EXPORTER_OTLP_ENDPOINT gives it, too.", (*collectorURL)(&c.Trace.URL))
	b.alias("OTEL_EXPORTER_OTLP_ENDPOINT")
	b.password("trace_headers", "Headers for the collector, as name=value, separated by commas. The variable "+
		"OTEL_EXPORTER_OTLP_HEADERS gives them, too.", traceHeaders{&c.Trace.Headers})
	b.alias("OTEL_EXPORTER_OTLP_HEADERS")
	b.add("trace_ratio", "1", "Share of the traces that begin here which are sent, from 0 to 1; a request with a "+
		"traceparent brings its own decision.", (*ratio)(&c.Trace.Ratio))
	b.live("log_level", "info", "Least level that is logged: debug, info, warn or error.", (*logLevel)(&c.LogLevel))
	b.add("log_format", LogText, "Form of the log on standard error: text or json. With json the server writes "+
		"nothing else.", choice{to: &c.LogFormat, of: []string{LogText, LogJSON}})
	b.add(configKey, "", "A TOML file with settings, each by its key.", text{to: new(string), empty: true})
	return b.rows
}

// Settings lists every setting in the order it is shown.
func Settings() []Setting {
	rows := table(&Config{})
	out := make([]Setting, len(rows))
	for i, r := range rows {
		out[i] = r.Setting
	}
	return out
}

// builder makes rows and their names.
type builder struct {
	section string
	rows    []row
}

func (b *builder) group(name string) { b.section = name }

func (b *builder) add(key, preset, help string, v flag.Value) {
	s := Setting{Group: b.section, Key: key, Default: preset, Help: help}
	s.Flag = strings.ReplaceAll(key, "_", "-")
	s.Variable = prefix + strings.ToUpper(key)
	if w, ok := v.(interface{ words() []string }); ok {
		s.Words = w.words()
	}
	b.rows = append(b.rows, row{Setting: s, value: v})
}

// secret adds a secret of the deployment, which is made where it is not set.
func (b *builder) secret(key, help string, v flag.Value) {
	b.password(key, help, v)
	b.rows[len(b.rows)-1].made = true
}

// password adds a secret that is somebody else's to make.
func (b *builder) password(key, help string, v flag.Value) {
	b.add(key, "", help, v)
	last := &b.rows[len(b.rows)-1]
	last.Secret, last.Flag = true, ""
}

// live adds a setting that can be changed while the server runs.
func (b *builder) live(key, preset, help string, v flag.Value) {
	b.add(key, preset, help, v)
	b.rows[len(b.rows)-1].Live = true
}

// alias gives the last row another variable.
func (b *builder) alias(name string) { b.rows[len(b.rows)-1].alias = name }

// bare takes the prefix off the last row's variable.
func (b *builder) bare() {
	last := &b.rows[len(b.rows)-1]
	last.Variable = strings.TrimPrefix(last.Variable, prefix)
}
