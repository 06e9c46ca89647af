package httpapi

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// route is one line of the table: what is asked, of which mailbox, what for, with which body, and who answers.
type route struct {
	method string
	path   string // with a leading slash as it is; without one under /v1 and /api
	target target
	need   mailbox.Capability
	body   bodyKind
	handle func(*API, *call) error
}

// target is how a route says which mailbox it acts on.
type target uint8

const (
	open       target = iota // none, and no key is needed
	own                      // the key's own, or the one that the parameter mailbox or to names
	addressed                // the one whose address is in the path
	deployment               // none: the deployment as a whole
)

const (
	get    = http.MethodGet // and HEAD
	post   = http.MethodPost
	patch  = http.MethodPatch
	put    = http.MethodPut
	remove = http.MethodDelete
)

const (
	resumePath = "mailbox/resume" // the one route that the key of a paused mailbox may use (API 1)
	claimPath  = "/claim"         // the pages of people, which speak HTML
	reviewPath = service.ReviewPath
	signInPath = "/signin" // where people sign in with an OpenID provider
	// SignInCallback is where the provider sends people back to.
	SignInCallback = signInPath + "/callback"
	// where the links to unsubscribe lead
	unsubscribePath = service.UnsubscribePath + "/{token}"
	healthPath      = "/health"
	readyPath       = "/ready"
)

var routes = []route{
	{get, "me", own, mailbox.KnowSelf, noBody, (*API).me},
	{get, "mailbox", own, mailbox.ReadMailbox, noBody, (*API).mailbox},
	{patch, "mailbox", own, mailbox.ChangeSettings, object, (*API).changeMailbox},
	{remove, "mailbox", own, mailbox.DeleteMailbox, noBody, (*API).deleteMailbox},
	{patch, "mailbox/pause", own, mailbox.PauseMailbox, optionalObject, (*API).pauseMailbox},
	{patch, resumePath, own, mailbox.PauseMailbox, optionalObject, (*API).resumeMailbox},
	{post, "mailbox/resume-sending", own, mailbox.ResumeSending, optionalObject, (*API).resumeSending},
	{post, "mailbox/test-mail", own, mailbox.ManageMailbox, optionalObject, (*API).testMail},
	{get, "stats", own, mailbox.ReadStats, noBody, (*API).stats},

	{get, "inbox", own, mailbox.ReadMail, noBody, (*API).inbox},
	{get, "search", own, mailbox.ReadMail, noBody, (*API).search},
	{get, "email", own, mailbox.ReadMail, noBody, (*API).email},
	{patch, "email", own, mailbox.ChangeMail, object, (*API).changeEmail},
	{remove, "email", own, mailbox.ChangeMail, noBody, (*API).deleteEmail},
	{get, "email/history", own, mailbox.ReadMail, noBody, (*API).history},
	{get, "email/check", own, mailbox.ReadMail, noBody, (*API).checkEmail},
	{get, "email/raw", own, mailbox.ReadAttachment, noBody, (*API).rawEmail},
	{get, "export", own, mailbox.ReadAttachment, noBody, (*API).export},
	{get, "attachment", own, mailbox.ReadAttachment, noBody, (*API).attachment},
	{post, "extract", own, mailbox.ExtractData, object, (*API).extract},
	{get, "threads", own, mailbox.ReadMail, noBody, (*API).threads},
	{get, "thread", own, mailbox.ReadMail, noBody, (*API).thread},
	{get, "events", own, mailbox.ReadMail, drained, (*API).events},
	{get, "code", own, mailbox.ReadCode, drained, (*API).code},
	{get, "wait", own, mailbox.ReadMail, drained, (*API).wait},
	{get, "rejects", own, mailbox.ReadStats, noBody, (*API).rejects},
	{post, "send", own, mailbox.SendMail, draft, (*API).send},
	{post, "reply", own, mailbox.SendMail, draft, (*API).reply},
	{post, "forward", own, mailbox.SendMail, draft, (*API).forward},
	{post, "drafts", own, mailbox.DraftMail, draft, (*API).createDraft},
	{get, "drafts", own, mailbox.DraftMail, noBody, (*API).drafts},
	{get, "drafts/{id}", own, mailbox.DraftMail, noBody, (*API).draft},
	{patch, "drafts/{id}", own, mailbox.DraftMail, draft, (*API).editDraft},
	{remove, "drafts/{id}", own, mailbox.DraftMail, noBody, (*API).deleteDraft},
	{post, "drafts/{id}/attachments", own, mailbox.DraftMail, attached, (*API).attachToDraft},
	{remove, "drafts/{id}/attachments/{n}", own, mailbox.DraftMail, noBody, (*API).detachFromDraft},
	{post, "drafts/{id}/send", own, mailbox.DraftMail, optionalObject, (*API).sendDraft},
	{get, "reviews", own, mailbox.ReviewMail, noBody, (*API).reviews},
	{get, "reviews/{id}", own, mailbox.ReviewMail, noBody, (*API).review},
	{patch, "reviews/{id}", own, mailbox.ReviewMail, draft, (*API).editReview},
	{post, "reviews/{id}/approve", own, mailbox.ReviewMail, optionalObject, (*API).approve},
	{post, "reviews/{id}/reject", own, mailbox.ReviewMail, optionalObject, (*API).reject},
	{post, "reviews/approve", own, mailbox.ReviewMail, object, (*API).approveAll},
	{post, "email/cancel", own, mailbox.RecallMail, noBody, (*API).cancelEmail},
	{get, "suppressions", own, mailbox.ReadManaged, noBody, (*API).suppressions},
	{post, "suppressions", own, mailbox.ManageMailbox, object, (*API).addSuppressions},
	{remove, "suppressions", own, mailbox.ManageMailbox, noBody, (*API).deleteSuppression},
	{get, "lists/{list}/{action}", own, mailbox.ReadMailbox, noBody, (*API).list},
	{put, "lists/{list}/{action}", own, mailbox.ControlMailbox, object, (*API).putListed},
	{remove, "lists/{list}/{action}", own, mailbox.ControlMailbox, noBody, (*API).deleteListed},
	{get, "quarantine", own, mailbox.ReviewMail, noBody, (*API).quarantine},
	{get, "quarantine/{id}", own, mailbox.ReviewMail, noBody, (*API).quarantined},
	{remove, "quarantine/{id}", own, mailbox.ReviewMail, noBody, (*API).deleteQuarantined},
	{post, "quarantine/{id}/release", own, mailbox.ReviewMail, noBody, (*API).releaseQuarantined},
	{post, "ingest", own, mailbox.IngestMail, message, (*API).ingest},

	{get, "mailbox/routes", own, mailbox.ManageMailbox, noBody, (*API).webhookRoutes},
	{put, "mailbox/routes", own, mailbox.ManageMailbox, object, (*API).putWebhookRoute},
	{remove, "mailbox/routes", own, mailbox.ManageMailbox, noBody, (*API).deleteWebhookRoute},
	{get, "webhook/deliveries", own, mailbox.ReadManaged, noBody, (*API).webhookDeliveries},
	{get, "webhook/deliveries/{id}", own, mailbox.ManageMailbox, noBody, (*API).webhookDelivery},
	{post, "webhook/deliveries/{id}/replay", own, mailbox.ManageMailbox, optionalObject, (*API).replayWebhook},
	{post, "webhook/replay", own, mailbox.ManageMailbox, object, (*API).replayWebhooks},
	{post, "webhook/test", own, mailbox.ManageMailbox, optionalObject, (*API).testWebhook},
	{post, "webhook/reset", own, mailbox.ManageMailbox, optionalObject, (*API).resetWebhook},
	{get, "webhook/secret", own, mailbox.ManageMailbox, noBody, (*API).webhookSecret},
	{post, "webhook/secret/rotate", own, mailbox.ManageMailbox, optionalObject, (*API).rotateWebhookSecret},

	{get, "domains", own, mailbox.ReadManaged, noBody, (*API).domains},
	{post, "domains", own, mailbox.ManageMailbox, object, (*API).addDomain},
	{get, "domains/{id}", own, mailbox.ReadManaged, noBody, (*API).domain},
	{get, "domains/{id}/dns", own, mailbox.ReadManaged, noBody, (*API).domainSheet},
	{get, "domains/{id}/reports", own, mailbox.ReadManaged, noBody, (*API).domainReports},
	{post, "domains/{id}/verify", own, mailbox.ManageMailbox, optionalObject, (*API).verifyDomain},
	{post, "domains/{id}/keys", own, mailbox.ManageMailbox, optionalObject, (*API).renewDomainKeys},
	{remove, "domains/{id}", own, mailbox.ManageMailbox, noBody, (*API).deleteDomain},

	{post, "mailboxes", deployment, mailbox.CreateMailbox, object, (*API).createMailbox},
	{get, "mailboxes", deployment, mailbox.Oversee, noBody, (*API).mailboxes},
	{get, "mailboxes/{address}", addressed, mailbox.Oversee, noBody, (*API).mailbox},
	{patch, "mailboxes/{address}", addressed, mailbox.ControlMailbox, object, (*API).changeMailbox},
	{remove, "mailboxes/{address}", addressed, mailbox.Administer, noBody, (*API).deleteMailbox},
	{patch, "mailboxes/{address}/pause", addressed, mailbox.Moderate, optionalObject, (*API).pauseMailbox},
	{patch, "mailboxes/{address}/resume", addressed, mailbox.Moderate, optionalObject, (*API).resumeMailbox},
	{post, "mailboxes/{address}/keys", addressed, mailbox.Administer, optionalObject, (*API).createKey},
	{get, "mailboxes/{address}/keys", addressed, mailbox.Oversee, noBody, (*API).keys},
	{patch, "keys/{id}", deployment, mailbox.Administer, object, (*API).updateKey},
	{remove, "keys/{id}", deployment, mailbox.Administer, noBody, (*API).revokeKey},
	{post, "keys/rotate", own, mailbox.RotateKey, optionalObject, (*API).rotateKey},
	{post, "operators", deployment, mailbox.ManageOperators, object, (*API).createOperator},
	{get, "operators", deployment, mailbox.ManageOperators, noBody, (*API).operators},
	{patch, "operators/{id}", deployment, mailbox.ManageOperators, object, (*API).updateOperator},
	{remove, "operators/{id}", deployment, mailbox.ManageOperators, noBody, (*API).deleteOperator},
	{remove, "operators/{id}/sessions", deployment, mailbox.ManageOperators, noBody, (*API).endSessions},
	{get, "sessions", deployment, mailbox.ManageOperators, noBody, (*API).sessions},
	{remove, "sessions/{id}", deployment, mailbox.ManageOperators, noBody, (*API).endSession},
	{remove, "session", deployment, mailbox.KnowSelf, noBody, (*API).signOut},
	{get, "overview", deployment, mailbox.Oversee, noBody, (*API).overview},
	{get, "overview/screening", deployment, mailbox.Oversee, noBody, (*API).screenings},
	{get, "nodes", deployment, mailbox.Oversee, noBody, (*API).nodes},
	{get, "activity", deployment, mailbox.Oversee, noBody, (*API).activity},
	{get, "audit", deployment, mailbox.Oversee, noBody, (*API).audit},
	{get, "audit/verify", deployment, mailbox.Oversee, noBody, (*API).verifyAudit},
	{get, "problems", deployment, mailbox.Oversee, noBody, (*API).problems},
	{get, "queue", deployment, mailbox.Oversee, noBody, (*API).queue},
	{get, "queue/destinations", deployment, mailbox.Oversee, noBody, (*API).queueDestinations},
	{get, "queue/{id}", deployment, mailbox.Oversee, noBody, (*API).queued},
	{post, "queue/retry", deployment, mailbox.Moderate, object, (*API).retryQueued},
	{post, "queue/cancel", deployment, mailbox.Moderate, object, (*API).cancelQueued},
	{post, "queue/hold", deployment, mailbox.Moderate, object, (*API).holdQueued},
	{post, "queue/release", deployment, mailbox.Moderate, object, (*API).releaseQueued},
	{post, "reindex", deployment, mailbox.Administer, noBody, (*API).reindex},
	{get, "reindex", deployment, mailbox.Oversee, noBody, (*API).reindexing},
	{get, "secrets", deployment, mailbox.Administer, noBody, (*API).secrets},
	{post, "secrets/{name}/rotate", deployment, mailbox.Administer, optionalObject, (*API).rotateSecret},
	{post, "secrets/{name}/end", deployment, mailbox.Administer, optionalObject, (*API).endSecret},

	{post, "bootstrap", open, 0, noBody, (*API).bootstrap},
	{post, "claim/start", open, 0, optionalObject, (*API).startClaim},
	{post, "claim/confirm", open, 0, object, (*API).confirmClaim},
	{get, "claim/poll", open, 0, noBody, (*API).pollClaim},
	{get, "claims", deployment, mailbox.Oversee, noBody, (*API).pendingClaims},
	{post, "claims/{id}/confirm", deployment, mailbox.Administer, noBody, (*API).confirmPending},
	{remove, "claims/{id}", deployment, mailbox.Administer, noBody, (*API).denyClaim},
	{post, "claim/auto", deployment, mailbox.Administer, object, (*API).createMailbox},
	{post, "providers/resend", open, 0, signed, (*API).resendCallback},
	{get, frontPath, open, 0, noBody, (*API).front},
	{get, claimPath, open, 0, noBody, (*API).showClaim},
	{post, claimPath, open, 0, form, (*API).submitClaim},
	{get, signInPath, open, 0, noBody, (*API).beginSignIn},
	{get, SignInCallback, open, 0, noBody, (*API).finishSignIn},
	{get, reviewPath, open, 0, noBody, (*API).showReview},
	{post, reviewPath, open, 0, form, (*API).submitReview},
	{get, unsubscribePath, open, 0, noBody, (*API).showUnsubscribe},
	{post, unsubscribePath, open, 0, noBody, (*API).unsubscribe},

	{get, "/metrics", deployment, mailbox.Oversee, noBody, (*API).metricsPage},
	{get, healthPath, open, 0, noBody, (*API).health},
	{get, readyPath, open, 0, noBody, (*API).ready},
	{get, "/.well-known/mta-sts.txt", open, 0, noBody, (*API).transportPolicy},
	{get, "/openapi.json", open, 0, noBody, (*API).openapi},
	{get, "/docs", open, 0, noBody, (*API).docs},
	{get, "/llms.txt", open, 0, noBody, (*API).llms},
	{get, "/llms-full.txt", open, 0, noBody, (*API).llmsFull},
	{get, "/skill.md", open, 0, noBody, (*API).skill},
}
