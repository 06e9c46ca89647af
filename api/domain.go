package api

// Domain is a domain that a mailbox's owner brought.
type Domain struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"` // pending, dns_verified or lapsed
	DomainMarks
	CreatedAt  Time `json:"created_at"`
	VerifiedAt Time `json:"verified_at"`
	LapsedAt   Time `json:"lapsed_at"` // when the record of ownership was found to be gone; zero: it is there

	Problem string `json:"problem,omitempty"` // why the records of the keys are missing
}

// DomainMarks are which records of a domain were there when they were last looked up.
type DomainMarks struct {
	MX    bool `json:"mx_verified"`
	SPF   bool `json:"spf_verified"`
	DKIM  bool `json:"dkim_verified"`
	DMARC bool `json:"dmarc_verified"`
}

// Domains are the domains of a mailbox, all of them.
type Domains struct {
	Domains []Domain   `json:"domains"`
	Next    NullString `json:"next_cursor"`
}

// DomainRecord is a domain with the DNS records that it needs.
type DomainRecord struct {
	Domain
	Records      DNSRecords `json:"dns_records"`
	Ownership    *DNSRecord `json:"ownership,omitempty"`
	Instructions string     `json:"instructions"`

	KeysCreatedAt Time      `json:"keys_created_at"`       // of the keys in use
	NextKeys      *NewKeys  `json:"next_keys,omitempty"`   // that are used from when their records are published
	OldKeys       *OldKeys  `json:"old_keys,omitempty"`    // the last that were replaced, while their records are needed
	FormerKeys    []OldKeys `json:"former_keys,omitempty"` // all whose records are needed, the last first
}

// NewKeys are keys of a domain that are to follow those in use.
type NewKeys struct {
	Selector  string      `json:"selector"`
	CreatedAt Time        `json:"created_at"`
	Records   []DNSRecord `json:"records"` // to publish beside those in use
}

// OldKeys are keys of a domain that were replaced.
type OldKeys struct {
	Selector  string   `json:"selector"`
	Hosts     []string `json:"hosts"`      // of their records
	KeepUntil Time     `json:"keep_until"` // mail that was signed with them may be on its way until then
	Removable bool     `json:"removable"`  // that is over: their records can be removed
}

// DNSRecords are the records of a domain by what they are for. Those that it does not need are nil.
type DNSRecords struct {
	MX          *DNSRecord `json:"mx"`
	SPF         *DNSRecord `json:"spf"`
	DKIM        *DNSRecord `json:"dkim"`
	DMARC       *DNSRecord `json:"dmarc"`
	DKIMEd25519 *DNSRecord `json:"dkim_ed25519,omitempty"`
	Ownership   *DNSRecord `json:"ownership,omitempty"`
}

// DNSRecord is a record to publish.
type DNSRecord struct {
	Type     string  `json:"type"`
	Host     string  `json:"host"`
	Value    string  `json:"value"`
	Purpose  string  `json:"purpose"`
	Priority *uint16 `json:"priority,omitempty"` // of an MX
}

// DNSSheet are all records that a domain and its mail host should have.
type DNSSheet struct {
	ID       string     `json:"id"`
	Domain   string     `json:"domain"`
	Hostname string     `json:"hostname"` // the mail host
	Records  []DNSEntry `json:"records"`
	ZoneFile string     `json:"zone_file"`
}

// DNSEntry is a record with what is published in its place.
type DNSEntry struct {
	Kind string `json:"kind"` // such as mx, spf, dkim, ptr
	DNSRecord
	Needed  bool     `json:"needed"` // mail does not work without; the others are advised
	Found   []string `json:"found"`
	State   string   `json:"state"`             // ok, missing, differs, or unknown where it could not be looked up
	Problem string   `json:"problem,omitempty"` // why it is not ok
}

// DomainCheck is what the DNS has of a domain's records.
type DomainCheck struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"`
	DomainMarks
	Former  int64      `json:"former_mailboxes,omitempty"` // mailboxes on it that were made for another owner of it
	Message string     `json:"message"`                    // says what is missing
	Records []DNSFound `json:"records"`
}

// DNSFound is a record with what is published in its place.
type DNSFound struct {
	DNSRecord
	Found    []string `json:"found"`
	Verified bool     `json:"verified"`
	Unknown  bool     `json:"unknown,omitempty"` // it could not be looked up
}
