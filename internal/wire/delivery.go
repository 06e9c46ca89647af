package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Delivery is what became of a message for one recipient (API 7).
type Delivery struct {
	Recipient string `json:"recipient"`
	Status    string `json:"status"`
	Attempts  int    `json:"attempts"`
	LastCode  *int   `json:"last_code"` // null: no server answered yet
	LastText  string `json:"last_text"`
	MX        string `json:"mx"`
	TLS       string `json:"tls"`
	NextAt    Time   `json:"next_attempt_at"` // null: none
	Outcome   string `json:"outcome,omitempty"`
	Simulated bool   `json:"simulated"` // it did not leave the machine
}

func newDelivery(d mailbox.Delivery) Delivery {
	out := Delivery{Recipient: d.Recipient, Status: string(d.Status), Attempts: d.Attempts, LastText: d.Text, MX: d.Host, TLS: d.TLS,
		Simulated: d.Simulated()}
	if d.Code != 0 {
		out.LastCode = &d.Code
	}
	if !d.Leased {
		out.NextAt = Time(d.NextAt)
	}
	if d.Unknown {
		out.Outcome = "unknown" // it may have arrived twice
	}
	return out
}

// Sending is the answer to a send (API 7).
type Sending struct {
	ID         ID      `json:"id"`
	MessageID  string  `json:"message_id"`
	ThreadID   ID      `json:"thread_id"`
	ProviderID *string `json:"provider_id"` // null: a provider has it later, if at all
	Status     string  `json:"status"`
}

// NewSending gives the answer to a send.
func NewSending(id, thread mailbox.ID, message string) Sending {
	return Sending{ID: ID(id), MessageID: messageID(message), ThreadID: ID(thread), Status: string(mailbox.Queued)}
}

// Preview is the answer to a send that was only tried out.
type Preview struct {
	DryRun    bool      `json:"dry_run"`
	From      string    `json:"from"`
	To        []Address `json:"to"`
	Cc        []Address `json:"cc"`
	Bcc       []Address `json:"bcc"`
	Subject   string    `json:"subject"`
	SizeBytes int64     `json:"size_bytes"`
	SendAt    Time      `json:"send_at"` // null: at once
	Routes    []Route   `json:"deliveries"`
}

// Route is the way that mail to one recipient would take.
type Route struct {
	Recipient string `json:"recipient"`
	Route     string `json:"route"`
}

// PreviewAddresses gives addresses as a preview shows them.
func PreviewAddresses(list []mailbox.Address) []Address { return addresses(list) }

// Suppression is an address that the mailbox does not send to.
type Suppression struct {
	Address   string `json:"address"`
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
	EmailID   ID     `json:"email_id"`
	CreatedAt Time   `json:"created_at"`
}

// Suppressions is a list of them.
type Suppressions struct {
	Suppressions []Suppression `json:"suppressions"`
	Next         Cursor        `json:"next_cursor"`
}

// DeletedSuppression is the answer to taking an address off the list.
type DeletedSuppression struct {
	OK      bool   `json:"ok"`
	Deleted string `json:"deleted"`
}

// NewSuppressions gives a list of suppressions and where it goes on.
func NewSuppressions(list []mailbox.Suppression, next string) Suppressions {
	return Suppressions{Next: orNull(next), Suppressions: each(list, func(s mailbox.Suppression) Suppression {
		return Suppression{Address: s.Address, Reason: s.Reason, Detail: s.Detail, EmailID: ID(s.Message), CreatedAt: Time(s.At)}
	})}
}
