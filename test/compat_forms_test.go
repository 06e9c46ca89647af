package test

import "strings"

// The forms that existing clients read (API 3 to 10), in the notation of shapes.
const (
	listForm = `id:uuid mailbox:addr from_address:str from_name:str to_address:str subject:str snippet:str code:str?
		direction:inbound|outbound status:received|queued|sent|delivery_delayed|delivered|captured|bounced|failed|complained
		received_at:time has_attachments:bool attachment_count:int message_id:str thread_id:uuid labels:[str] seen:bool
		trust:{level:verified|unverified|suspicious reasons:[str]}`

	personForm = `{address:str name:str}`
	linkForm   = `{url:text text:str kind:text ~mismatch:bool}`

	attachmentForm = `id:uuid email_id:uuid filename:text content_type:str size_bytes:int content_disposition:str content_id:str mime_part_index:int
		text_content:str text_extraction_status:done|pending|unsupported|failed|too_large storage_key:text created_at:time downloadable:bool sha256:str`

	deliveryForm = `recipient:addr status:text attempts:int last_code:int? last_text:str mx:str tls:str next_attempt_at:time? simulated:bool`

	detailForm = listForm + ` to:[` + personForm + `] cc:[` + personForm + `] bcc:[` + personForm + `] reply_to:[` +
		personForm + `]
		body_text:str body_html:str body_truncated:bool reply_text:str inline_reply:bool links:[` + linkForm + `]
		code_candidates:[{` + candidateForm + `}] headers:{} metadata:{envelope_from:str envelope_to:str} in_reply_to:str references:[str]
		attachment_names:[str] attachment_search_text:str raw_storage_key:text size_bytes:int created_at:time
		attachments:[{` + attachmentForm + `}] auth:{spf:text dkim:text dmarc:text arc:text from_aligned:bool}
		screening:{verdict:clean|flagged|dangerous findings:[{rule:text layer:text excerpt:str}]}? captured:bool ~deliveries:[{` + deliveryForm + `}]`

	inboxForm   = `emails:[{` + listForm + `}] search_mode:keyword|semantic|hybrid next_cursor:str?`
	searchForm  = `emails:[{` + listForm + ` score:num highlights:[any]}] search_mode:keyword|semantic|hybrid next_cursor:str?`
	threadsForm = `threads:[{thread_id:uuid latest_email_id:uuid subject:str from_address:str from_name:str received_at:time message_count:int
		has_attachments:bool code:str? participants:[` + personForm + `] labels:[str]}] next_cursor:str?`
	threadForm = `thread_id:uuid emails:[{` + detailForm + `}] next_cursor:str?`
	codeForm   = `id:uuid code:text from:str subject:str received_at:time links:[` + linkForm + `] candidates:[{` +
		candidateForm + `}]`
	candidateForm = `code:text score:num reason:str confidence:num why:[str]`

	statsForm = `mailbox:addr total_emails:int inbound:int outbound:int emails_this_month:int ingest:{pending:int parsed:int failed:int}
		suppression_count:int webhook_routes:int storage_bytes:int unseen:int index:{pending:int vectors_pending:int}`

	// limitsForm are the limits of SPEC 8.
	limitsForm = `daily_sends:int recipients_per_email:int subject_chars:int text_bytes:int html_bytes:int attachment_bytes:int message_bytes:int
		stream_seconds:num keepalive_seconds:num webhook_attempts:int webhook_failures:int provisional_hours:num key_length:67`

	meForm      = `worker:text version:text mailbox:addr scope:provisional|mailbox|operator expires_at:time? send:bool capabilities:[text] limits:{` + limitsForm + `}`
	mailboxForm = `mailbox:addr aliases:[addr] status:active|paused scope:text created_at:time expires_at:time? webhook_url:text?
		webhook:{status:active|failed|none consecutive_failures:int last_attempt_at:time? last_error:str} daily_send_limit:int sends_today:int`

	sendingForm = `id:uuid message_id:text thread_id:uuid provider_id:str? status:queued`
	dryForm     = `dry_run:true from:addr to:[` + personForm + `] cc:[` + personForm + `] bcc:[` + personForm +
		`] subject:str size_bytes:int deliveries:[{recipient:addr route:text}]`
	eventForm = `event:text email_id:uuid mailbox:addr from:str subject:str received_at:time thread_id:uuid labels:[str] has_attachments:bool
		message_id:str attachment_count:int code:str?`
	outcomeForm = eventForm + ` status:text recipient:addr timestamp:time`
	coreForm    = `event:text email_id:uuid mailbox:addr from:str subject:str received_at:time`
	bouncedForm = coreForm + ` status:text recipient:addr timestamp:time reason:text bounce_type:text`

	marksForm  = `mx_verified:bool spf_verified:bool dkim_verified:bool dmarc_verified:bool`
	domainForm = `id:uuid domain:text status:pending|dns_verified ` + marksForm + ` created_at:time verified_at:time?`
	dnsForm    = `{type:text host:text value:text purpose:text}`
	recordForm = domainForm + ` dns_records:{mx:{type:MX host:text value:text purpose:text priority:int} spf:` +
		dnsForm + ` dkim:` + dnsForm + ` dmarc:` + dnsForm + `}
		instructions:text ownership:` + dnsForm

	attemptForm = `time:time status:int? duration_ms:num error:str?`
	postingForm = `id:uuid event:text email_id:uuid url:text status:text attempts:[{` + attemptForm + `}]`

	errorForm = `error:text code:text`
)

// olderForm is a form as /api answers it, in the types that the clients declare which call it.
var olderForm = strings.NewReplacer("in_reply_to:str ", "in_reply_to:text? ", "references:[str]", "references:text?",
	"attachment_names:[str]", "attachment_names:str",
	"total:num?", "total:text?", "amount:num?", "amount:text?", "items:[{name:str quantity:num? price:num?}]",
	"items:[text]", "attendees:[str]", "attendees:[addr]")

// form is a form as this client expects it.
func (c existing) form(form string) string {
	if c.prefix == "/api" {
		return olderForm.Replace(form)
	}
	return form
}

// extractionForms are what each type of POST /v1/extract answers (API 8).
var extractionForms = map[string]string{
	"order": `type:order order_id:str? total:num? currency:str? merchant:str? date:str? items:[{name:str quantity:num? price:num?}] confidence:num source:str?`,
	"receipt": `type:receipt merchant:str? amount:num? currency:str? date:str? payment_method:str? order_id:str?
		confidence:num source:str?`,
	"shipping": `type:shipping tracking_number:str? carrier:str? eta:str? status:str? url:str? confidence:num source:str?`,
	"calendar": `type:calendar title:str? date:str? time:str? end:str? timezone:str? location:str? organizer:str? attendees:[str] method:str? uid:str?
		confidence:num source:str?`,
	"code": `type:code code:str? links:[` + linkForm + `] confidence:num source:str? candidates:[{` + candidateForm + `}]`,
}
