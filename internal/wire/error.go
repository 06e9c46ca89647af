package wire

// The bodies that SPEC 7 gives whole. They are exact: nothing may be added.
const (
	Unauthorized  = `{"error":"Unauthorized"}`
	Forbidden     = `{"error":"forbidden","message":"Key not authorized for this mailbox"}`
	MailboxPaused = `{"error":"Mailbox is paused"}`
)
