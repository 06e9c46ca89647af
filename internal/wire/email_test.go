package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/zone"
)

func TestHeaders(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []string // name, value, name, value
		want string
	}{
		{"none", nil, `{}`},
		{"order and spelling are kept", []string{"Zeta", "1", "alpha", "2"}, `{"Zeta":"1","alpha":"2"}`},
		{"repeated are joined under the first spelling", []string{"Received", "a", "X", "b", "RECEIVED", "c",
			"received", ""},
			`{"Received":"a\nc\n","X":"b"}`},
		{"names are escaped", []string{`a"b`, "<&>"}, `{"a\"b":"<&>"}`},
		{"names that JavaScript knows", []string{"__proto__", "x"}, `{"__proto__":"x"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var h []mailbox.Field
			for pair := range slices.Chunk(tt.in, 2) {
				h = append(h, mailbox.Field{Name: pair[0], Value: pair[1]})
			}
			if got := encode(t, headers(h)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTag(t *testing.T) {
	for recipient, want := range map[string]string{
		"agent@x.example": "", "agent+news@x.example": "news", "agent+a+b@x.example": "a+b", "agent+@x.example": "",
		"agent@x+y.example": "", "": "", "agent": "", `"a@+b"@x.example`: `b`,
	} {
		if got := tag(recipient); got != want {
			t.Errorf("%s: got %q, want %q", recipient, got, want)
		}
	}
}

func fullMessage() (mailbox.Message, mailbox.Detail) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	id, _ := mailbox.ParseID("019cb7d1-0000-7000-8000-000000000000")
	m := mailbox.Message{
		ID: id, Thread: id, Direction: mailbox.Inbound, Status: "received", From: mailbox.Address{Name: "Ann",
			Address: "ann@x.example"},
		To: "agent@y.example", Subject: "Hi & <bye>", MessageID: "1@x.example", ReceivedAt: at, Size: 321,
		Attachments: 2,
		Recipient:   "Agent+tag@y.example",
	}
	d := mailbox.Detail{
		To: []mailbox.Address{{Name: "Agent", Address: "agent@y.example"}}, Text: "text", HTML: "<p>text</p>",
		Headers: []mailbox.Field{{Name: "Subject", Value: "Hi & <bye>"}}, InReplyTo: "0@x.example",
		References: []string{"a@x", "b@x"},
		Parts: []mailbox.Part{{Index: 1, ContentType: "text/plain", Size: 3, Disposition: "attachment"},
			{Index: 2, ContentType: "image/png", Filename: "a.png", ContentID: "cid"}},
		Envelope:  mailbox.Trace{From: "bounce@x.example", Remote: "192.0.2.1", Helo: "mx.x.example", Proto: "ESMTPS"},
		ReplyText: "reply", InlineReply: true,
		Links: []mailbox.Link{{URL: "https://x.example/?a&b", Text: "<Go>", Kind: "verify"},
			{URL: "https://evil.example", Text: "x.example", Kind: "other", Mismatch: true}},
		CodeCandidates: []mailbox.CodeCandidate{
			{Code: "123456", Score: 0.95, Why: []string{"after \"code:\"", "large"}}, {Code: "2026", Score: 0}},
	}
	return m, d
}

func TestNewEmail(t *testing.T) {
	m, d := fullMessage()
	const head = `{"id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"agent@y.example","from_address":"ann@x.example","from_name":"Ann",` +
		`"to_address":"agent@y.example","subject":"Hi & <bye>","snippet":"","code":null,"direction":"inbound","status":"received",` +
		`"received_at":"2026-03-04T05:06:07.089Z","has_attachments":true,"attachment_count":2,"message_id":"<1@x.example>",` +
		`"thread_id":"019cb7d1-0000-7000-8000-000000000000","labels":[],"seen":false,` +
		`"trust":{"level":"unverified","reasons":["Sender authentication was not checked."]}`
	const rest = `,"to":[{"address":"agent@y.example","name":"Agent"}],"cc":[],"bcc":[],"reply_to":[],"body_text":"text","body_html":"<p>text</p>",` +
		`"body_truncated":false,"reply_text":"reply","inline_reply":true,` +
		`"links":[{"url":"https://x.example/?a&b","text":"<Go>","kind":"verify"},{"url":"https://evil.example","text":"x.example","kind":"other","mismatch":true}],` +
		`"code_candidates":[{"code":"123456","score":0.95,"reason":"after \"code:\"; large","confidence":0.95,"why":["after \"code:\"","large"]},` +
		`{"code":"2026","score":0,"reason":"","confidence":0,"why":[]}],"headers":{"Subject":"Hi & <bye>"},` +
		`"metadata":{"envelope_from":"bounce@x.example","envelope_to":"Agent+tag@y.example","tag":"tag","remote_addr":"192.0.2.1",` +
		`"helo":"mx.x.example","protocol":"ESMTPS","date":null,"defects":[]},"in_reply_to":"<0@x.example>","references":["<a@x>","<b@x>"],` +
		`"attachment_names":["attachment-1","a.png"],"attachment_search_text":"","raw_storage_key":"raw/019cb7d1-0000-7000-8000-000000000000",` +
		`"size_bytes":321,"created_at":"2026-03-04T05:06:07.089Z","attachments":[` +
		`{"id":"019cb7d1-0000-7000-8000-000000000001","email_id":"019cb7d1-0000-7000-8000-000000000000","filename":"attachment-1",` +
		`"content_type":"text/plain","size_bytes":3,"content_disposition":"attachment","content_id":"","mime_part_index":1,"text_content":"",` +
		`"text_extraction_status":"unsupported","storage_key":"raw/019cb7d1-0000-7000-8000-000000000000#1",` +
		`"created_at":"2026-03-04T05:06:07.089Z","downloadable":true,"sha256":"` + zeros + `"},` +
		`{"id":"019cb7d1-0000-7000-8000-000000000002","email_id":"019cb7d1-0000-7000-8000-000000000000","filename":"a.png",` +
		`"content_type":"image/png","size_bytes":0,"content_disposition":"","content_id":"cid","mime_part_index":2,"text_content":"",` +
		`"text_extraction_status":"unsupported","storage_key":"raw/019cb7d1-0000-7000-8000-000000000000#2",` +
		`"created_at":"2026-03-04T05:06:07.089Z","downloadable":true,"sha256":"` + zeros + `"}],` +
		`"auth":{"spf":"none","dkim":"none","dmarc":"none","arc":"none","from_aligned":false},"screening":null,"captured":false}`
	if diff := cmp.Diff(head+rest, encode(t, NewEmail(m, d, "agent@y.example", true))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func TestVerdict(t *testing.T) {
	m, d := fullMessage()
	m.Verdict = mailbox.Verdict{Auth: mailbox.Auth{SPF: "pass", DKIM: "fail", DMARC: "pass", ARC: "none",
		FromAligned: true, Checked: true},
		Trust: mailbox.Trust{Level: mailbox.Verified, Reasons: []string{"So it is."}}}
	d.Screening = mailbox.Screening{Verdict: "flagged", Findings: []mailbox.Finding{{Rule: "override", Layer: "text",
		Excerpt: "Ignore"}}}
	got := encode(t, NewEmail(m, d, "agent@y.example", true))
	for _, want := range []string{
		`"trust":{"level":"verified","reasons":["So it is."]}`,
		`"auth":{"spf":"pass","dkim":"fail","dmarc":"pass","arc":"none","from_aligned":true}`,
		`"screening":{"verdict":"flagged","findings":[{"rule":"override","layer":"text","excerpt":"Ignore"}]}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s does not have %s", got, want)
		}
	}
}

func TestReport(t *testing.T) {
	m, d := fullMessage()
	d.Report = &mailbox.Report{Class: "bounce", MessageID: "1@x",
		Recipients: []mailbox.ReportedRecipient{{Address: "a@x", Status: "5.1.1", Hard: true, Text: "no"}}}
	const want = `"report":{"class":"bounce","message_id":"<1@x>","recipients":[{"address":"a@x","status":"5.1.1","hard":true,"text":"no"}]}`
	if got := encode(t, NewEmail(m, d, "agent@y.example", true)); !strings.Contains(got, want) {
		t.Errorf("%s does not have %s", got, want)
	}
}

func TestNewEmailVariants(t *testing.T) {
	m, d := fullMessage()
	d.HTMLTruncated = true
	locked := encode(t, NewEmail(m, d, "agent@y.example", false))
	if strings.Contains(locked, `"downloadable":true`) || !strings.Contains(locked, `"downloadable":false`) {
		t.Error("a key that may not download is told that it may")
	}
	if !strings.Contains(locked, `"body_truncated":true`) {
		t.Error("a cut body is not said to be cut")
	}
	d.ReplyText = strings.Repeat("ž", replyMost)
	if reply := NewEmail(m, d, "agent@y.example", true).ReplyText; len(reply) != replyMost || !utf8.ValidString(reply) {
		t.Errorf("the reply has %d bytes", len(reply))
	}
	m.Direction = mailbox.Outbound
	if sent := encode(t, NewEmail(m, d, "agent@y.example", true)); !strings.Contains(sent, `"deliveries":[]`) {
		t.Error("an outbound message has no deliveries")
	}
}

// Nothing in an answer is null but what the interface says may be.
func TestNulls(t *testing.T) {
	allowed := map[string][]string{
		"email":        {"code", "screening", "date"},
		"mailboxes":    {"expires_at", "webhook_url", "last_attempt_at", "next_cursor", "last_email_at"},
		"keys":         {"expires_at", "last_used_at", "next_cursor"},
		"threads":      {"code", "next_cursor"},
		"conversation": {"next_cursor"},
		"rejects":      {"next_cursor"},
		"audits":       {"next_cursor"},
		"waited":       {"email"},
		"delivery":     {"last_code", "next_attempt_at"},
		"sending":      {"provider_id"},
		"stored draft": {"send_at", "email_id", "sent", "text", "html"},
		"preview":      {"send_at"},
		"suppressions": {"email_id", "next_cursor"},
		"domains":      {"verified_at", "lapsed_at", "next_cursor"},
		"domain":       {"verified_at", "lapsed_at"},
	}
	plan := zone.Plan{Domain: "x.example", Hostname: "mx.example",
		Selectors: []zone.Selector{{Name: "s", Record: "v=DKIM1; p=x"}}, Own: true}
	at := time.UnixMilli(1)
	for name, v := range map[string]any{
		"email": NewEmail(mailbox.Message{ReceivedAt: at}, mailbox.Detail{}, "", true),
		"mailboxes": NewMailboxes([]api.Mailbox{NewListedMailbox(mailbox.Mailbox{CreatedAt: at}, mailbox.Holding{})},
			""),
		"keys":         api.Keys{Keys: []api.Key{NewKey(mailbox.Key{CreatedAt: at}, nil)}},
		"threads":      NewThreads([]mailbox.Thread{{Latest: mailbox.Message{ReceivedAt: at}}}, ""),
		"conversation": NewConversation(mailbox.ID{}, nil, ""),
		"rejects":      NewRejects([]mailbox.Reject{{At: at}}, ""),
		"audits":       NewAudits([]mailbox.Audit{{At: at}}, ""),
		"waited":       api.Waited{},
		"code":         NewCode(mailbox.Message{ReceivedAt: at}, mailbox.Detail{}),
		"bootstrapped": NewBootstrapped(mailbox.Mailbox{ExpiresAt: at}, "", false, api.Upgrade{}),
		"started":      NewStartedClaim(mailbox.Claim{}, "", ""),
		"confirmed":    api.ConfirmedClaim{},
		"polled":       api.Claim{},
		"stats":        NewStats(mailbox.Counters{}, 0, 0, ""),
		"delivery":     newDelivery(mailbox.Delivery{}),
		"sending":      NewSending(mailbox.ID{}, mailbox.ID{}, "", mailbox.Queued, nil),
		"stored draft": NewStoredDraft(mailbox.StoredDraft{CreatedAt: at, UpdatedAt: at}, ""),
		"preview": api.Preview{To: PreviewAddresses(nil), Cc: PreviewAddresses(nil), Bcc: PreviewAddresses(nil),
			Deliveries: []api.PreviewedRoute{}},
		"suppressions": NewSuppressions([]mailbox.Suppression{{At: at}}, ""),
		"domains":      NewDomains([]mailbox.Domain{{CreatedAt: at}}),
		"domain":       NewDomainRecord(mailbox.Domain{CreatedAt: at}, plan.Records(), nil, ""),
		"check":        NewDomainCheck(mailbox.Domain{}, zone.Findings{{}}, 0, ""),
		"sheet":        NewDNSSheet(mailbox.Domain{}, "", zone.Findings{{}}, ""),
		"reports": NewDomainReports([]mailbox.DomainReport{{Begin: at, End: at, ReceivedAt: at}}, "x",
			NewReportTotals(0, 0, nil)),
		"limits": NewLimits(mailbox.DefaultLimits(), mailbox.Allowance{}),
	} {
		t.Run(name, func(t *testing.T) {
			var tree any
			if err := json.Unmarshal([]byte(encode(t, v)), &tree); err != nil {
				t.Fatal(err)
			}
			var found []string
			nulls("", tree, &found)
			for _, f := range found {
				if !strings.Contains(" "+strings.Join(allowed[name], " ")+" ", " "+f+" ") {
					t.Errorf("%s is null", f)
				}
			}
		})
	}
}

func nulls(name string, v any, found *[]string) {
	switch v := v.(type) {
	case nil:
		*found = append(*found, name)
	case []any:
		for _, e := range v {
			nulls(name, e, found)
		}
	case map[string]any:
		for k, e := range v {
			nulls(k, e, found)
		}
	}
}
