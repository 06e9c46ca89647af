package mailbox

// Scope is what a credential is for (SPEC 2.1, 5.3).
type Scope string

const (
	Provisional Scope = "provisional"
	Permanent   Scope = "mailbox"
	Operator    Scope = "operator"
)

// Capability is a row of the permission tables of SPEC 5.8 and API 2: what a route is for.
type Capability uint8

const (
	ReadMail       Capability = iota // me, mailbox, inbox, email, code, search, threads, stats, events, wait
	ExtractData                      // structured data out of a message
	ChangeMail                       // labels, seen, deleting a message
	ReadAttachment                   // attachments and raw messages
	SendMail                         // send, reply, forward
	ManageMailbox                    // webhooks, routes, domains, suppressions, rotating the own key
	PauseMailbox                     // pause and resume
	DeleteMailbox                    // the mailbox itself and all it holds
	IngestMail                       // handing in mail for any mailbox
	Moderate                         // mailboxes of others, their keys, audit
	capabilityCount
)

// Capabilities lists every capability, for the tests that walk the table.
func Capabilities() []Capability {
	all := make([]Capability, capabilityCount)
	for i := range all {
		all[i] = Capability(i)
	}
	return all
}

var capabilityNames = [capabilityCount]string{"read mail", "extract data", "change mail", "read attachments",
	"send mail",
	"manage the mailbox", "pause the mailbox", "delete the mailbox", "ingest mail", "moderate mailboxes"}

func (c Capability) String() string { return capabilityNames[c] }

// OnPaused tells whether the operator may do this to a mailbox that is paused: moderating it, or handing in mail, which
// is then put off as any other (API 1, 11).
func (c Capability) OnPaused() bool { return c == Moderate || c == PauseMailbox || c == IngestMail }

// Reads tells whether this changes nothing that the owner set: reading, or mail coming in.
func (c Capability) Reads() bool {
	return c == ReadMail || c == ExtractData || c == ReadAttachment || c == IngestMail
}

// permissions is SPEC 5.8, refined by API 2. Whose mailbox it may be done to is decided in the service: the own one
// for the first two, the configured or a named one for the operator.
var permissions = [capabilityCount]struct{ provisional, permanent, operator bool }{
	ReadMail:       {true, true, true},
	ExtractData:    {true, true, true},
	ChangeMail:     {false, true, true},
	ReadAttachment: {false, true, true},
	SendMail:       {false, true, true},
	ManageMailbox:  {false, true, true},
	PauseMailbox:   {false, true, true},
	DeleteMailbox:  {true, true, true},
	IngestMail:     {false, false, true},
	Moderate:       {false, false, true},
}

// May tells whether a scope has a capability at all.
func (s Scope) May(c Capability) bool {
	if c >= capabilityCount {
		return false
	}
	p := permissions[c]
	switch s {
	case Provisional:
		return p.provisional
	case Permanent:
		return p.permanent
	case Operator:
		return p.operator
	}
	return false
}

// Names lists the capabilities as GET /v1/me shows them (API 3).
func (s Scope) Names() []string {
	names := []string{"inbox.read", "email.read", "code.read", "search.read", "threads.read"}
	if s.May(SendMail) {
		names = append(names, "email.send", "attachment.read", "webhook.manage", "domain.manage")
	}
	if s.May(Moderate) {
		names = append(names, "mailbox.provision", "mailbox.moderate")
	}
	return names
}

// Caller is who makes a request: a key bound to a mailbox, or the operator.
type Caller struct {
	Scope   Scope
	Key     Key     // zero for the operator
	Mailbox Mailbox // the key's own; the configured one for the operator
}

// May tells whether a caller has a capability. A temporary key lives on for a while after its mailbox was claimed; it
// reads there, and no longer has a mailbox of its own to delete.
func (c Caller) May(need Capability) bool {
	claimed := c.Scope == Provisional && c.Mailbox.Scope != Provisional
	return c.Scope.May(need) && !(claimed && need == DeleteMailbox)
}

// Halted tells whether the caller's own mailbox is paused, so that every request but resume is refused (API 1).
func (c Caller) Halted() bool { return c.Scope != Operator && c.Mailbox.Status == Halted }
