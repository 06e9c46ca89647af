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
	KnowSelf        Capability = iota // me: every key may
	ReadMailbox                       // the mailbox itself and its lists, which hold no mail
	ReadStats                         // how much there is, and what was refused; no mail
	ReadMail                          // inbox, email, search, threads, events, wait
	ReadCode                          // the code of a message
	ExtractData                       // structured data out of a message
	ChangeMail                        // labels, seen, deleting a message
	ReadAttachment                    // attachments and raw messages
	SendMail                          // send, reply, forward
	RecallMail                        // calling back what has not left
	DraftMail                         // drafts, but for sending them
	ReviewMail                        // deciding on mail that is held, and on mail in quarantine
	ReadManaged                       // webhooks, domains, suppressions as they are, without secrets
	ManageMailbox                     // webhooks, routes, domains, suppressions
	ControlMailbox                    // what the owner of the agent decides: send policy, limits, lists, brakes
	ResumeSending                     // letting a mailbox send again that the brakes stopped
	ChangeSettings                    // settings of a mailbox; which ones, the service decides for each
	RotateKey                         // replacing the own key by one that may do the same
	PauseMailbox                      // pause and resume
	DeleteMailbox                     // the mailbox itself and all it holds
	IngestMail                        // handing in mail for any mailbox
	CreateMailbox                     // making mailboxes
	Oversee                           // the deployment as it is: its mailboxes, their keys, its logs; no mail
	Moderate                          // pausing and resuming mailboxes of others, and the queue
	Administer                        // everything else about mailboxes of others: their keys, deleting them
	ManageOperators                   // named operators and their sessions
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

var capabilityNames = [capabilityCount]string{
	KnowSelf: "ask about itself", ReadMailbox: "read the mailbox", ReadStats: "read statistics", ReadMail: "read mail",
	ReadCode:    "read codes",
	ExtractData: "extract data",
	ChangeMail:  "change mail", ReadAttachment: "read attachments", SendMail: "send mail",
	RecallMail: "call mail back", DraftMail: "write drafts",
	ReviewMail: "review mail", ReadManaged: "see webhooks and domains", ManageMailbox: "manage the mailbox",
	ControlMailbox: "control the mailbox", ResumeSending: "resume sending",
	ChangeSettings: "change settings", RotateKey: "rotate itself", PauseMailbox: "pause the mailbox",
	DeleteMailbox: "delete the mailbox", IngestMail: "ingest mail", CreateMailbox: "create mailboxes",
	Oversee: "see all mailboxes", Moderate: "moderate mailboxes", Administer: "administer mailboxes",
	ManageOperators: "manage operators",
}

func (c Capability) String() string { return capabilityNames[c] }

// OnPaused tells whether the operator may do this to a mailbox that is paused: moderating it, deciding what becomes of
// what it wanted to send before it goes on, or handing in mail, which is then put off as any other (API 1, 11).
func (c Capability) OnPaused() bool {
	switch c {
	case Oversee, Moderate, Administer, ManageOperators, PauseMailbox, ResumeSending, IngestMail, RecallMail,
		ReviewMail, ControlMailbox:
		return true
	}
	return false
}

// Reads tells whether this changes nothing that the owner set: reading, or mail coming in.
func (c Capability) Reads() bool {
	switch c {
	case KnowSelf, ReadMailbox, ReadStats, ReadMail, ReadCode, ExtractData, ReadAttachment, ReadManaged, Oversee,
		IngestMail:
		return true
	}
	return false
}

// permissions is SPEC 5.8, refined by API 2, and what each role of a named operator may. Whose mailbox it may be done
// to is decided in the service: the own one for the first two, the configured or a named one for the operator.
var permissions = [capabilityCount]struct {
	provisional, permanent, operator bool
	view, moderate                   reach // admin may what the operator may
}{
	KnowSelf:        {true, true, true, everywhere, everywhere},
	ReadMailbox:     {true, true, true, everywhere, everywhere},
	ReadStats:       {true, true, true, everywhere, everywhere},
	ReadMail:        {true, true, true, configured, configured},
	ReadCode:        {true, true, true, configured, configured},
	ExtractData:     {true, true, true, configured, configured},
	ChangeMail:      {false, true, true, nowhere, nowhere},
	ReadAttachment:  {false, true, true, configured, configured},
	SendMail:        {false, true, true, nowhere, nowhere},
	RecallMail:      {false, true, true, nowhere, everywhere},
	DraftMail:       {false, true, true, nowhere, nowhere},
	ReviewMail:      {false, false, true, nowhere, everywhere},
	ReadManaged:     {false, true, true, everywhere, everywhere},
	ManageMailbox:   {false, true, true, nowhere, nowhere},
	ControlMailbox:  {false, false, true, nowhere, nowhere},
	ResumeSending:   {false, false, true, nowhere, everywhere},
	ChangeSettings:  {false, true, true, nowhere, nowhere},
	RotateKey:       {false, true, true, everywhere, everywhere},
	PauseMailbox:    {false, true, true, nowhere, everywhere},
	DeleteMailbox:   {true, true, true, nowhere, nowhere},
	IngestMail:      {false, false, true, nowhere, nowhere},
	CreateMailbox:   {false, false, true, nowhere, nowhere},
	Oversee:         {false, false, true, everywhere, everywhere},
	Moderate:        {false, false, true, nowhere, everywhere},
	Administer:      {false, false, true, nowhere, nowhere},
	ManageOperators: {false, false, true, nowhere, nowhere},
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

// Caller is who makes a request: a key bound to a mailbox, or the operator.
type Caller struct {
	Scope   Scope
	Key     Key     // zero for the operator
	Mailbox Mailbox // the key's own; the configured one for the operator

	Named    Key    // the credential of a named operator; zero: anybody else
	Reviewer string // address of a person who decides with a link from a mail; empty: there is a credential
}

// May tells whether a caller has a capability, for some mailbox. A named operator has those of the role. A restricted
// key has those that were named when it was made. A temporary
// key lives on for a while after its mailbox was claimed; it reads there, and no longer has a mailbox of its own to
// delete.
func (c *Caller) May(need Capability) bool {
	if c.Scope == Permanent && c.Key.Restriction().Limits() {
		return c.Key.Restriction().Grants(need)
	}
	if c.Scope == Operator {
		return c.reach(need) > nowhere
	}
	claimed := c.Scope == Provisional && c.Mailbox.Scope != Provisional
	return c.Scope.May(need) && !(claimed && need == DeleteMailbox)
}

// Names lists the capabilities as GET /v1/me shows them (API 3).
func (c *Caller) Names() []string {
	names := []string{}
	for _, n := range []struct {
		need  Capability
		names []string
	}{
		{ReadMail, []string{"inbox.read", "email.read"}},
		{ReadCode, []string{"code.read"}},
		{ReadMail, []string{"search.read", "threads.read"}},
		{SendMail, []string{"email.send"}},
		{ReadAttachment, []string{"attachment.read"}},
		{ManageMailbox, []string{"webhook.manage", "domain.manage"}},
		{CreateMailbox, []string{"mailbox.provision"}},
		{Moderate, []string{"mailbox.moderate"}},
	} {
		if c.May(n.need) {
			names = append(names, n.names...)
		}
	}
	return names
}

// ReviewerByMail is what the address of a reviewer follows who has decided with a link from a mail.
const ReviewerByMail = "reviewer by mail "

// Actor is who the caller is to the audit log.
func (c *Caller) Actor() string {
	switch {
	case c.Reviewer != "":
		return ReviewerByMail + c.Reviewer
	case c.Scope == Operator:
		return TheOperator
	}
	return c.Key.ID.String()
}

// Halted tells whether the caller's own mailbox is paused, so that every request but resume is refused (API 1). A key
// for several mailboxes is asked for each of them.
func (c *Caller) Halted() bool {
	return c.Scope != Operator && c.Mailbox.Status == Halted && !c.Key.Restriction().Several
}
