package client_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/client"
)

// methods has a method for every route of the manual, or says in brackets why there is none.
var methods = map[string]string{
	"GET /v1/me":      "Me",
	"GET /v1/mailbox": "Mailbox",
	"PATCH /v1/mailbox": "SetWebhook SetDisplayName SetMetadata SetUndo SetBrakes SetSendPolicy " +
		"SetReviewers SetReceiveAction SetLimits ResetLimits",
	"DELETE /v1/mailbox":                      "DeleteMailbox",
	"PATCH /v1/mailbox/pause":                 "Pause",
	"PATCH /v1/mailbox/resume":                "Resume",
	"POST /v1/mailbox/resume-sending":         "ResumeSending",
	"GET /v1/inbox":                           "Inbox InboxAll",
	"GET /v1/search":                          "Search SearchAll",
	"GET /v1/email":                           "Email",
	"PATCH /v1/email":                         "UpdateEmail",
	"DELETE /v1/email":                        "DeleteEmail",
	"POST /v1/email/cancel":                   "CancelEmail",
	"GET /v1/email/history":                   "History",
	"GET /v1/email/check":                     "CheckEmail",
	"POST /v1/webhook/replay":                 "ReplayWebhooks",
	"GET /v1/overview":                        "Overview",
	"GET /v1/overview/screening":              "Screenings",
	"GET /v1/nodes":                           "Nodes",
	"GET /v1/email/raw":                       "Raw",
	"GET /v1/attachment":                      "Attachment",
	"GET /v1/export":                          "Export",
	"POST /v1/extract":                        "Extract",
	"GET /v1/threads":                         "Threads ThreadsAll",
	"GET /v1/thread":                          "Thread ThreadAll",
	"GET /v1/code":                            "Code WaitForCode",
	"GET /v1/wait":                            "Wait WaitForEmail",
	"GET /v1/events":                          "Events",
	"GET /v1/stats":                           "Stats DailyStats",
	"GET /v1/rejects":                         "Rejects RejectsAll",
	"POST /v1/keys/rotate":                    "RotateKey",
	"POST /v1/send":                           "Send Preview",
	"POST /v1/reply":                          "Reply PreviewReply",
	"POST /v1/forward":                        "Forward PreviewForward",
	"POST /v1/drafts":                         "CreateDraft CreateReplyDraft CreateForwardDraft",
	"GET /v1/drafts":                          "Drafts DraftsAll SentDrafts",
	"GET /v1/drafts/{id}":                     "Draft",
	"PATCH /v1/drafts/{id}":                   "EditDraft",
	"DELETE /v1/drafts/{id}":                  "DeleteDraft",
	"POST /v1/drafts/{id}/attachments":        "AttachToDraft",
	"DELETE /v1/drafts/{id}/attachments/{n}":  "DetachFromDraft",
	"POST /v1/drafts/{id}/send":               "SendDraft PreviewDraft",
	"GET /v1/reviews":                         "Reviews ReviewsAll",
	"GET /v1/reviews/{id}":                    "Review",
	"PATCH /v1/reviews/{id}":                  "EditReview",
	"POST /v1/reviews/{id}/approve":           "Approve",
	"POST /v1/reviews/{id}/reject":            "Reject",
	"POST /v1/reviews/approve":                "ApproveAll",
	"GET /v1/suppressions":                    "Suppressions SuppressionsAll",
	"POST /v1/suppressions":                   "AddSuppressions",
	"GET /v1/lists/{list}/{action}":           "ListEntries ListEntriesAll",
	"PUT /v1/lists/{list}/{action}":           "PutListEntry",
	"DELETE /v1/lists/{list}/{action}":        "DeleteListEntry",
	"GET /v1/quarantine":                      "Quarantine QuarantineAll",
	"GET /v1/quarantine/{id}":                 "QuarantinedEmail",
	"POST /v1/quarantine/{id}/release":        "ReleaseQuarantined",
	"DELETE /v1/quarantine/{id}":              "DeleteQuarantined",
	"GET /v1/queue":                           "Queue QueueAll",
	"GET /v1/queue/destinations":              "QueueDestinations",
	"GET /v1/queue/{id}":                      "QueuedDelivery",
	"POST /v1/queue/retry":                    "RetryQueued",
	"POST /v1/queue/cancel":                   "CancelQueued",
	"POST /v1/queue/hold":                     "HoldQueued",
	"POST /v1/queue/release":                  "ReleaseQueued",
	"DELETE /v1/suppressions":                 "DeleteSuppression",
	"GET /v1/mailbox/routes":                  "Routes",
	"PUT /v1/mailbox/routes":                  "SetRoute PutRoute",
	"DELETE /v1/mailbox/routes":               "DeleteRoute DeleteRouteID",
	"GET /v1/webhook/deliveries":              "WebhookDeliveries WebhookDeliveriesAll",
	"GET /v1/webhook/deliveries/{id}":         "WebhookDelivery",
	"POST /v1/webhook/deliveries/{id}/replay": "ReplayWebhook",
	"POST /v1/mailbox/test-mail":              "TestMail",
	"POST /v1/webhook/test":                   "TestWebhook",
	"POST /v1/webhook/reset":                  "ResetWebhook",
	"GET /v1/webhook/secret":                  "WebhookSecret",
	"GET /v1/domains":                         "Domains",
	"POST /v1/domains":                        "AddDomain",
	"GET /v1/domains/{id}":                    "Domain",
	"GET /v1/domains/{id}/dns":                "DNSSheet",
	"GET /v1/domains/{id}/reports":            "DomainReports",
	"POST /v1/domains/{id}/verify":            "VerifyDomain",
	"POST /v1/webhook/secret/rotate":          "RotateWebhookSecret",
	"GET /v1/secrets":                         "Secrets",
	"POST /v1/secrets/{name}/rotate":          "RotateSecret",
	"POST /v1/secrets/{name}/end":             "EndSecret",
	"POST /v1/domains/{id}/keys":              "RenewDomainKeys ReplaceDomainKeys",
	"DELETE /v1/domains/{id}":                 "DeleteDomain",
	"POST /v1/mailboxes":                      "CreateMailbox",
	"GET /v1/mailboxes":                       "Mailboxes MailboxesAll",
	"GET /v1/mailboxes/{address}":             "Moderate.Mailbox",
	"PATCH /v1/mailboxes/{address}":           "Moderate.SetWebhook",
	"DELETE /v1/mailboxes/{address}":          "Moderate.Delete",
	"PATCH /v1/mailboxes/{address}/pause":     "Moderate.Pause",
	"PATCH /v1/mailboxes/{address}/resume":    "Moderate.Resume",
	"POST /v1/mailboxes/{address}/keys":       "Moderate.CreateKey",
	"GET /v1/mailboxes/{address}/keys":        "Moderate.Keys",
	"PATCH /v1/keys/{id}":                     "UpdateKey",
	"DELETE /v1/keys/{id}":                    "RevokeKey",
	"GET /v1/claims":                          "PendingClaims",
	"POST /v1/claims/{id}/confirm":            "ConfirmPending",
	"DELETE /v1/claims/{id}":                  "DenyClaim",
	"POST /v1/claim/auto":                     "AutoClaim",
	"POST /v1/ingest":                         "Ingest",
	"POST /v1/operators":                      "CreateOperator",
	"GET /v1/operators":                       "Operators",
	"PATCH /v1/operators/{id}":                "UpdateOperator",
	"DELETE /v1/operators/{id}":               "DeleteOperator",
	"DELETE /v1/operators/{id}/sessions":      "EndSessions",
	"GET /v1/sessions":                        "Sessions",
	"DELETE /v1/sessions/{id}":                "EndSession",
	"DELETE /v1/session":                      "(a session is a cookie of the console)",
	"GET /v1/activity":                        "Activity",
	"GET /v1/audit":                           "Audit AuditAll ExportAudit",
	"GET /v1/audit/verify":                    "VerifyAudit",
	"GET /v1/problems":                        "Problems",
	"POST /v1/reindex":                        "Reindex",
	"GET /v1/reindex":                         "Reindexing",
	"POST /v1/bootstrap":                      "Bootstrap",
	"POST /v1/claim/start":                    "StartClaim",
	"POST /v1/claim/confirm":                  "ConfirmClaim",
	"GET /v1/claim/poll":                      "PollClaim AwaitClaim",
	"POST /v1/providers/resend":               "(the provider calls it)",
	"GET /":                                   "(leads people to a page)",
	"GET /claim":                              "(a page for people)",
	"POST /claim":                             "(its form)",
	"GET /review":                             "(a page for people)",
	"GET /signin":                             "(for browsers)",
	"GET /signin/callback":                    "(for browsers)",
	"POST /review":                            "(its form)",
	"GET /u/{token}":                          "(a page for people)",
	"POST /u/{token}":                         "(its form)",
	"GET /health":                             "Health",
	"GET /ready":                              "Ready",
	"GET /metrics":                            "Page",
	"GET /.well-known/mta-sts.txt":            "(other mail servers fetch it)",
	"GET /openapi.json":                       "Page",
	"GET /docs":                               "Page",
	"GET /llms.txt":                           "Page",
	"GET /llms-full.txt":                      "Page",
	"GET /skill.md":                           "Page",
}

// pages are in a browser, or speak another protocol.
var pages = regexp.MustCompile(`^[A-Z]+ /(console|mcp)(/|$)`)

// Every route of the manual has a method, or a reason why not, and every method of the client is of a route.
func TestEveryRouteHasAMethod(t *testing.T) {
	manual, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	written := regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\|").FindAllStringSubmatch(string(manual), -1)
	if len(written) < 50 {
		t.Fatalf("the manual has %d routes", len(written))
	}
	for _, m := range written {
		if methods[m[1]] == "" && !pages.MatchString(m[1]) {
			t.Errorf("%s has no method", m[1])
		}
	}
	of := map[string]bool{"For": true, "WithKey": true, "BaseURL": true, "String": true, "GoString": true,
		"Moderate": true}
	for route, names := range methods {
		if strings.HasPrefix(names, "(") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			of[name] = true
			owner := reflect.TypeFor[*client.Client]()
			if inner, ok := strings.CutPrefix(name, "Moderate."); ok {
				name, owner = inner, reflect.TypeFor[client.Moderated]()
			}
			if _, ok := owner.MethodByName(name); !ok {
				t.Errorf("%s: there is no method %s", route, name)
			}
		}
	}
	for m := range reflect.TypeFor[*client.Client]().Methods() {
		if !of[m.Name] {
			t.Errorf("the method %s is of no route", m.Name)
		}
	}
}
