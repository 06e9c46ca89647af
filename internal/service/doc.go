// Package service holds the verbs of Mailkin: one method for each thing a caller can ask. Permissions, limits,
// transactions and the order of their steps are decided here; protocols are spoken by the edges, SQL by the stores.
//
// A request goes Authenticate (whose key is this?), Enter (may it do this, and to which mailbox?), then the verb with
// the Access that Enter gave. Only Enter makes an Access, so no verb can be reached around it. Mail comes in by
// Recipient and Receive, or by Ingest.
//
// The verbs by group, each with the files that begin with its names:
//
//	enter     access*, key*        Authenticate Admit Enter WrongKey FailedLogins RateLimited
//	                               CreateKey Keys UpdateKey RevokeKey RotateKey CreateOwnKey RenameOwnKey RevokeOwnKey
//	          operator*            CreateOperator Operators UpdateOperator DeleteOperator SignIn SignInFailed SignOut
//	                               Sessions EndSession EndSessions
//	receive   receive*             WelcomeClient Recipient Receive Ingest Rejected LargeMessages
//	          capture*             Captured Capture PruneCaptured Chaos SetChaos Fault
//	          catalogue*           ListCaptured CapturedEntry MarkCaptured DeleteCaptured CapturedTags TagCaptured
//	                               RenameTag DeleteTag SendCaptured PartSums FollowCaptured FillCaptured
//	          quarantine           Quarantine QuarantinedMessage Release DeleteQuarantined QuarantineCounts
//	read      message*, raw,       Inbox Select Details FindMessage Ambiguous Message WholeMessage ChangeMessage
//	          thread, search,      DeleteMessage Raw Attachment Threads SelectThreads ThreadBox Thread Search
//	          extract, stats*,     Export History Extract CheckMail Stats Activity Overview
//	          overview*, node*     Screenings Nodes
//	          export, history*,    DownloadToken Download
//	          download
//	wait      wait*, event         Stream Code Wait Attending
//	send      send*, reply, fetch Send SentBefore MaySendAll Reply Forward Cancel FetchFile Upload Uploads LoopsStopped
//	                               ResumeSending SendingStopped
//	          test_mail            TestMail
//	          submit*              Login Sender Addressee Submit
//	          suppression          Suppressions Suppression AddSuppressions
//	                               DeleteSuppression
//	          unsubscribe          ShowUnsubscribe Unsubscribe
//	          list*                List PutListed DeleteListed
//	          review*              Reviews Review EditReview Approve ApproveAll Reject ReviewsCounted
//	                               ShowLinked DecideLinked
//	          draft*               CreateDraft Drafts Draft DraftBox EditDraft DeleteDraft AttachToDraft DetachFromDraft
//	                               SendDraft
//	deliver   delivery*            Attach Listen LeaseDeliveries BeginDelivery RenewDeliveries FinishDelivery
//	                               DeliverInside OutgoingMessage ProviderMessage GiveUp Backlog
//	                               HearProvider HearLater Policy KeepPolicy DuePolicies
//	          queue                Queue QueuedDelivery QueueSums ChangeQueue
//	hook      webhook, hook*       Routes Route PutRoute DeleteRoute WebhookSecret RotateWebhookSecret
//	                               TestWebhook ResetWebhook Hooks Hook ReplayHook ListenHooks NextHook WorkHooks HooksFailed HookHeld
//	                               ReplayHooks
//	domain    domain*              Domains AddDomain Domain DeleteDomain VerifyDomain CheckDomains
//	                               RenewDomainKeys LapsedDomains DomainSheet TransportPolicy DomainReports
//	          observe*             SawTLS OwnReport SendReports ReportsSent
//	secret    secret*              Secrets RotateSecret EndSecret Roots
//	onboard   bootstrap, claim     Bootstrap StartClaim ShowClaim ConfirmClaim PollClaim PendingClaims
//	                              ConfirmPending DenyClaim
//	moderate  mailbox*, log,       Me MailboxRecord ChangeMailbox PauseMailbox ResumeMailbox CreateMailbox
//	          problem, reprocess   Mailboxes OpenMailboxes DeleteMailbox Rejects Audits EachAudit VerifyAudits Problems
//	                               Reprocess Reindex ReindexProgress
//	run       service, node,       Ready Health Run Leave Index Turn Share Hear Look NewEra
//	          health, chores*      Reload Expire ExpireReviews SendNotices Trim Recover Refresh SweepBlobs
//	                               Retain Expunged
//
// The rest of the files are what several groups need: address (spellings), understand (what a mail means), disk (room
// on it), cursor (pages), trace (lines of the log).
package service
