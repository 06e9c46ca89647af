package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Reject is a mail that was not taken, and why.
type Reject struct {
	At     Time   `json:"at"`
	Stage  string `json:"stage"`
	From   string `json:"from"`
	To     string `json:"to"`
	Remote string `json:"remote"`
	Reply  string `json:"reply"`
}

// Rejects is a list of refused mail.
type Rejects struct {
	Rejects []Reject `json:"rejects"`
	Next    Cursor   `json:"next_cursor"`
}

// NewRejects gives a list of refused mail and where it goes on.
func NewRejects(list []mailbox.Reject, next string) Rejects {
	return Rejects{Next: orNull(next), Rejects: each(list, func(r mailbox.Reject) Reject {
		return Reject{At: Time(r.At), Stage: r.Stage, From: r.Sender, To: r.Recipient, Remote: r.Remote, Reply: r.Reply}
	})}
}

// Happening is something that happened in one of all mailboxes.
type Happening struct {
	Event   string `json:"event"`
	Mailbox string `json:"mailbox"`
	EmailID ID     `json:"email_id"`
	At      Time   `json:"at"`
}

// Activity is what happened last over all mailboxes.
type Activity struct {
	Activity []Happening `json:"activity"`
}

// NewActivity gives what happened last.
func NewActivity(list []mailbox.Happening) Activity {
	return Activity{Activity: each(list, func(h mailbox.Happening) Happening {
		return Happening{Event: string(h.Kind), Mailbox: h.Address, EmailID: ID(h.Message), At: Time(h.At)}
	})}
}

// Audit is an entry of the operator's log.
type Audit struct {
	At      Time   `json:"at"`
	Action  string `json:"action"`
	Mailbox string `json:"mailbox"`
	Note    string `json:"note"`
}

// Audits is a list of the operator's log.
type Audits struct {
	Audit []Audit `json:"audit"`
	Next  Cursor  `json:"next_cursor"`
}

// NewAudits gives a list of the operator's log and where it goes on.
func NewAudits(list []mailbox.Audit, next string) Audits {
	return Audits{Next: orNull(next), Audit: each(list, func(a mailbox.Audit) Audit {
		return Audit{At: Time(a.At), Action: a.Action, Mailbox: a.Mailbox, Note: a.Note}
	})}
}
