package mailbox

import (
	"cmp"
	"strings"
)

// deeds say what an action of the audit log is, in words that go on with the mailbox.
var deeds = map[string]string{
	"POST /v1/mailboxes":                      "made the mailbox",
	"DELETE /v1/mailboxes/{address}":          "deleted the mailbox",
	"PATCH /v1/mailboxes/{address}":           "changed the settings of",
	"PATCH /v1/mailboxes/{address}/pause":     "paused",
	"PATCH /v1/mailboxes/{address}/resume":    "resumed",
	"PATCH /v1/mailbox/pause":                 "paused",
	"PATCH /v1/mailbox/resume":                "resumed",
	"POST /v1/mailboxes/{address}/keys":       "made a key for",
	"PATCH /v1/keys/{id}":                     "changed a key of",
	"DELETE /v1/keys/{id}":                    "revoked a key of",
	"POST /v1/keys/rotate":                    "changed the key of",
	"PATCH /v1/mailbox":                       "changed the settings of",
	"DELETE /v1/mailbox":                      "deleted the mailbox",
	"POST /v1/mailbox/resume-sending":         "let send again",
	"GET /v1/inbox":                           "listed the mail of",
	"GET /v1/search":                          "searched the mail of",
	"GET /v1/email":                           "read a message of",
	"GET /v1/email/raw":                       "read the original of a message of",
	"GET /v1/email/history":                   "looked at what happened to a message of",
	"GET /v1/email/check":                     "checked a message of",
	"GET /v1/attachment":                      "opened an attachment of",
	"GET /v1/export":                          "exported the mail of",
	"POST /v1/extract":                        "looked for data in a message of",
	"GET /v1/threads":                         "listed the conversations of",
	"GET /v1/thread":                          "read a conversation of",
	"GET /v1/events":                          "watched the events of",
	"GET /v1/code":                            "read a code of",
	"GET /v1/wait":                            "waited for mail of",
	"GET /v1/stats":                           "counted the mail of",
	"PATCH /v1/email":                         "marked a message of",
	"DELETE /v1/email":                        "deleted a message of",
	"POST /v1/email/cancel":                   "called back a message of",
	"POST /v1/send":                           "sent from",
	"POST /v1/reply":                          "answered from",
	"POST /v1/forward":                        "forwarded from",
	"POST /v1/ingest":                         "put a message into",
	"GET /v1/suppressions":                    "listed the suppressions of",
	"POST /v1/suppressions":                   "suppressed addresses for",
	"DELETE /v1/suppressions":                 "took an address off the suppressions of",
	"PUT /v1/lists/{list}/{action}":           "put an entry on a list of",
	"DELETE /v1/lists/{list}/{action}":        "took an entry off a list of",
	"GET /v1/mailbox/routes":                  "listed the webhooks of",
	"PUT /v1/mailbox/routes":                  "set a webhook of",
	"DELETE /v1/mailbox/routes":               "removed a webhook of",
	"POST /v1/mailbox/test-mail":              "sent a test mail to",
	"POST /v1/webhook/test":                   "tested a webhook of",
	"POST /v1/webhook/reset":                  "reset a webhook of",
	"POST /v1/webhook/replay":                 "replayed events of",
	"POST /v1/webhook/deliveries/{id}/replay": "replayed an event of",
	"GET /v1/webhook/deliveries":              "read the webhook log of",
	"GET /v1/webhook/secret":                  "read the webhook secret of",
	"POST /v1/webhook/secret/rotate":          "rotated a webhook secret of",
	"POST /v1/domains":                        "brought a domain for",
	"DELETE /v1/domains/{id}":                 "removed a domain of",
	"POST /v1/domains/{id}/verify":            "checked a domain of",
	"POST /v1/domains/{id}/keys":              "renewed the keys of a domain of",
	"POST /v1/reviews/{id}/approve":           "approved a message of",
	"POST /v1/reviews/{id}/reject":            "rejected a message of",
	"POST /v1/reviews/approve":                "approved messages of",
	"PATCH /v1/reviews/{id}":                  "edited a held message of",
	"GET /v1/mailbox":                         "looked at the settings of",
	"GET /v1/mailboxes/{address}":             "looked at the settings of",
	"GET /v1/mailboxes/{address}/keys":        "listed the keys of",
	"GET /v1/lists/{list}/{action}":           "read a list of",
	"GET /v1/rejects":                         "looked at the mail refused for",
	"GET /v1/reviews":                         "listed the held messages of",
	"GET /v1/reviews/{id}":                    "read a held message of",
	"GET /v1/quarantine":                      "listed the quarantine of",
	"GET /v1/quarantine/{id}":                 "read quarantined mail of",
	"POST /v1/drafts":                         "wrote a draft for",
	"GET /v1/drafts":                          "listed the drafts of",
	"GET /v1/drafts/{id}":                     "read a draft of",
	"PATCH /v1/drafts/{id}":                   "changed a draft of",
	"DELETE /v1/drafts/{id}":                  "threw away a draft of",
	"POST /v1/drafts/{id}/attachments":        "attached a file to a draft of",
	"DELETE /v1/drafts/{id}/attachments/{n}":  "took a file off a draft of",
	"POST /v1/drafts/{id}/send":               "sent a draft of",
	"GET /v1/webhook/deliveries/{id}":         "read what a webhook was sent by",
	"GET /v1/domains":                         "listed the domains of",
	"GET /v1/domains/{id}":                    "looked at a domain of",
	"GET /v1/domains/{id}/dns":                "looked at the records of a domain of",
	"GET /v1/domains/{id}/reports":            "read the reports about a domain of",
	"GET /v1/mailboxes":                       "listed the mailboxes of",
	"POST /v1/operators":                      "added an operator to",
	"GET /v1/operators":                       "listed the operators of",
	"PATCH /v1/operators/{id}":                "changed an operator of",
	"DELETE /v1/operators/{id}":               "removed an operator of",
	"GET /v1/sessions":                        "listed the sessions of",
	"DELETE /v1/operators/{id}/sessions":      "ended all sessions of an operator of",
	"DELETE /v1/sessions/{id}":                "ended a session of",
	"GET /v1/overview":                        "counted the mail of",
	"GET /v1/overview/screening":              "counted the screened mail of",
	"GET /v1/nodes":                           "listed the nodes of",
	"GET /v1/activity":                        "watched the activity of",
	"GET /v1/audit":                           "read the audit log of",
	"GET /v1/audit/verify":                    "verified the audit log of",
	"GET /v1/problems":                        "looked for problems of",
	"GET /v1/queue":                           "listed the queue of",
	"GET /v1/queue/destinations":              "listed the destinations in the queue of",
	"GET /v1/queue/{id}":                      "looked at a delivery of",
	"POST /v1/queue/retry":                    "had deliveries tried at once of",
	"POST /v1/queue/cancel":                   "canceled deliveries of",
	"POST /v1/queue/hold":                     "held deliveries of",
	"POST /v1/queue/release":                  "released deliveries of",
	"POST /v1/reindex":                        "rebuilt the index of",
	"GET /v1/reindex":                         "asked how far the index is rebuilt of",
	"GET /v1/secrets":                         "listed the secrets of",
	"POST /v1/secrets/{name}/rotate":          "rotated a secret of",
	"POST /v1/secrets/{name}/end":             "ended the old value of a secret of",
	"GET /v1/claims":                          "listed the claims of",
	"POST /v1/claims/{id}/confirm":            "confirmed the claim of",
	"DELETE /v1/claims/{id}":                  "denied the claim of",
	"POST /v1/claim/auto":                     "made the mailbox",
	"POST /v1/quarantine/{id}/release":        "released mail to",
	"DELETE /v1/quarantine/{id}":              "deleted quarantined mail of",
	"sign-in":                                 "signed in",
	"sign-out":                                "signed out",
}

// Deed says what was done, in words that go on with the mailbox; empty: there are none for the action.
func (a Audit) Deed() string { return deeds[a.Action] }

// Who says who did it, as a sentence begins: a name, or whose token or key it was.
func (a Audit) Who() string {
	switch {
	case a.Name != "" && a.Role == "" && a.Actor != TheOperator: // of a key: its owner may call it as they like
		return "The key " + a.Name
	case a.Name != "":
		return a.Name
	case a.Credential == TheCredential:
		return "The operator's token"
	case a.Actor == "" || a.Actor == TheOperator:
		return "The operator"
	}
	if _, id := ParseID(a.Actor); id {
		return "The key " + a.Actor[:8] + "…"
	}
	return a.Actor
}

// Words are the entry as a sentence, and what else can be searched for in it.
func (a Audit) Words() string {
	return strings.Join([]string{a.Who(), a.Deed(), cmp.Or(a.Mailbox, "the deployment"), a.Note, "from", a.Client,
		a.Action, a.Actor, string(a.Role), a.Request, a.Credential}, "\n")
}
