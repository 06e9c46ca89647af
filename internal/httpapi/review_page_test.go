package httpapi

import (
	"html"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const reviewButton = `value="approve">`

// linked is a fake whose link leads to a review like this.
func linked(change func(*service.LinkedReview)) fake { return fake{linked: change} }

func decidedAs(as mailbox.ReviewStatus, by string) fake {
	return linked(func(r *service.LinkedReview) { r.Status, r.By, r.DecidedAt = as, by, fakeTime })
}

// notDecided checks that the service was not asked to decide.
func notDecided(t *testing.T, f *fake) {
	t.Helper()
	if f.asked != nil {
		t.Errorf("it was asked %v", f.asked)
	}
}

// long leads to a message of which the page shows the beginning.
var long = linked(func(r *service.LinkedReview) {
	r.Email.Detail.Text = "Hello" + strings.Repeat("\n", 301) + "you\n" + strings.Repeat("x", shownText+5000-48)
})

func TestReviewPage(t *testing.T) {
	const path = "/review?token=t%22%3E"
	plain := linked(func(r *service.LinkedReview) {
		r.Email.Detail = mailbox.Detail{Subject: "a <subject>", Text: "The text.", PlainPart: "Other text.",
			TextFromHTML: true, HTML: "<p>The text.</p><p hidden>Hidden text.</p>",
			Author: mailbox.Address{Address: ownAddress},
			To:     []mailbox.Address{{Address: "ann@x.example"}}, Bcc: []mailbox.Address{{Address: "bcc@x.example"}},
			Parts: []mailbox.Part{{Filename: "f.pdf", ContentType: "application/pdf", Size: 12}},
			Links: []mailbox.Link{{URL: "https://x.example/y", Text: "Click"}}}
	})
	turned := linked(func(r *service.LinkedReview) {
		r.Email.Detail = mailbox.Detail{Subject: "a\u202eb", Text: "c\u2066d", To: []mailbox.Address{{Name: "e\u200ff",
			Address: "ann@x.example"}}, Parts: []mailbox.Part{{Filename: "fdp\u202e.exe"}}}
	})
	rows := []scenario{
		{name: "held", path: path, svc: plain, status: 200, contains: []string{"<h1>Send this message?</h1>",
			"a &lt;subject&gt;", "<pre>The text.</pre>", "<pre>Other text.</pre>", "ann@x.example", "bcc@x.example",
			"f.pdf (application/pdf, 12 bytes)", "Because.", "screening calls it flagged",
			"Click → https://x.example/y",
			"<h2>HTML part, as text</h2>", "<h2>Text part</h2>", "<pre>Hidden text.</pre>", "do not say the same",
			"Mail programs show the HTML part.",
			"4 March 2026, 05:06:07 UTC", `<form method="post" action="review">`,
			`name="token" value="t&#34;&gt;"`, `name="version" value="2"`, reviewButton, `value="reject">`,
			`<label for="reason">`}, lacks: []string{"role=", "href", `name="unseen"`, "<p>The text"}},
		{name: "text alone", path: path, status: 200, contains: []string{"Text, without an HTML part."}},
		{name: "turned", path: path, svc: turned, status: 200, contains: []string{"a⟨202E⟩b", "c⟨2066⟩d", "e⟨200F⟩f",
			"fdp⟨202E⟩.exe"}, lacks: []string{"\u202e", "\u2066", "\u200f"}},
		{name: "long", path: path, svc: long, status: 200, contains: []string{"It goes on: 5000 bytes more",
			"Not shown: the last 5000 bytes of “Text part”", "mailkin review show " + fakeID.String(), reviewButton,
			`type="checkbox" name="unseen" value="yes" required`, "[300 empty lines are left out here]"}},
		{name: "edited", path: path, svc: linked(func(r *service.LinkedReview) { r.Noticed = 1 }), status: 200,
			contains: []string{"was edited since you were told", reviewButton}},
		{name: "approved", path: path, svc: decidedAs(mailbox.ReviewApproved, "reviewer by mail bob@x.example"),
			status: 200, contains: []string{"Already approved", "by bob@x.example on 4 March 2026"},
			lacks: []string{reviewButton, "subject&gt;"}},
		{name: "approved and called back", path: path, svc: linked(func(r *service.LinkedReview) {
			r.Status, r.By, r.DecidedAt, r.Mail.Status = mailbox.ReviewApproved, "operator", fakeTime, "canceled"
		}), status: 200, contains: []string{"<h1>Called back</h1>", "was approved by the operator", "was not sent"},
			lacks: []string{reviewButton, "Already"}},
		{name: "rejected", path: path, svc: decidedAs(mailbox.ReviewRejected, "operator"), status: 200,
			contains: []string{"Already rejected", "by the operator"}, lacks: []string{reviewButton}},
		{name: "expired", path: path, svc: decidedAs(mailbox.ReviewExpired, ""), status: 410,
			contains: []string{"Too late", "not sent"}, lacks: []string{reviewButton}},
		{name: "canceled", path: path, svc: decidedAs(mailbox.ReviewCanceled, "k1"), status: 410,
			contains: []string{"Called back", "by the key k1"}, lacks: []string{reviewButton}},
		{name: "unknown", path: "/review?token=unknown", status: 404, contains: []string{"It leads to nothing."},
			lacks: []string{reviewButton}},
		{name: "no token", path: "/review", status: 400, contains: []string{"not whole"}},
		{name: "bad encoding", path: "/review?token=%zz", status: 400},
		{name: "HEAD", method: "HEAD", path: path, svc: plain, status: 200},
	}
	runPages(t, rows, notDecided)
}

func TestReviewForm(t *testing.T) {
	with := func(pairs ...string) string {
		v := url.Values{"token": {"t"}, "version": {"2"}, "decision": {"approve"}}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v.Encode()
	}
	fails := func(kind mailbox.Kind) fake { return fake{err: mailbox.Errorf(kind, "x", "Some sentence.")} }
	limited := fake{err: &mailbox.Error{Kind: mailbox.Limited, Code: "daily_send_limit", Message: "Enough.",
		RetryAfter: time.Hour}}
	late := decidedAs(mailbox.ReviewExpired, "")
	late.err = mailbox.Errorf(mailbox.Conflict, "already_decided", "Some sentence.")
	rows := []scenario{
		{name: "approve", body: with(), status: 200, contains: []string{"<h1>Approved</h1>"},
			check: asked(service.LinkDecision{Token: "t", Version: 2, Approve: true})},
		{name: "reject", body: with("decision", "reject", "reason", "No <b>."), status: 200,
			contains: []string{"<h1>Rejected</h1>"},
			check:    asked(service.LinkDecision{Token: "t", Version: 2, Reason: "No <b>."})},
		{name: "approve what is not shown", body: with(), svc: long, status: 400,
			contains: []string{"Nothing was decided", `name="unseen"`, reviewButton}, check: notDecided},
		{name: "approve it knowingly", body: with("unseen", "yes"), svc: long, status: 200,
			contains: []string{"<h1>Approved</h1>"}},
		{name: "reject what is not shown", body: with("decision", "reject"), svc: long, status: 200,
			contains: []string{"<h1>Rejected</h1>"}},
		{name: "again", body: with("token", "again"), status: 200,
			contains: []string{"Already approved", "by the operator"}},
		{name: "edited meanwhile", body: with("version", "1"), svc: fails(mailbox.Conflict), status: 409,
			contains: []string{"Some sentence.", `role="alert"`, reviewButton, `name="version" value="2"`}},
		{name: "expired meanwhile", body: with(), svc: late, status: 410, contains: []string{"Too late"},
			lacks: []string{reviewButton}},
		{name: "at the limit", body: with(), svc: limited, status: 429, headers: []string{"Retry-After: 3600"},
			contains: []string{"Enough.", reviewButton}},
		{name: "not allowed", body: with(), svc: fails(mailbox.Denied), status: 403,
			contains: []string{"Some sentence.", reviewButton}},
		{name: "unknown", body: with(), svc: fails(mailbox.NotFound), status: 404, contains: []string{"Some sentence."},
			lacks: []string{reviewButton}},
		{name: "no token", body: with("token", ""), status: 400, check: notDecided},
		{name: "no version", body: with("version", ""), status: 400, check: notDecided},
		{name: "no decision", body: with("decision", ""), status: 400, check: notDecided},
		{name: "JSON", body: `{"token":"t"}`, header: []string{"Content-Type: application/json"}, status: 415,
			check: notDecided},
		{name: "too large", body: with("reason", strings.Repeat("x", formLimit)), status: 413, check: notDecided},
	}
	for _, s := range rows {
		s.method, s.path, s.key = "POST", "/review", "-"
		s.runForm(t)
	}
}

// Whatever an agent or a stranger wrote is shown as text, and the page runs and loads nothing.
func TestReviewPageIsSafe(t *testing.T) {
	const evil = `</title></style></pre><script>alert(1)</script><img src=x onerror=y>"'{{.}}`
	f := linked(func(r *service.LinkedReview) {
		who := []mailbox.Address{{Name: evil, Address: evil}}
		r.Email.Detail = mailbox.Detail{Subject: evil, Text: "x", PlainPart: "x " + evil,
			HTML: "<p>" + html.EscapeString(evil) + "<p hidden>" + html.EscapeString(evil), Author: who[0], To: who,
			Cc:  who,
			Bcc: who, ReplyTo: who, Parts: []mailbox.Part{{Filename: evil, ContentType: evil}},
			Links: []mailbox.Link{{URL: "javascript:" + evil}}}
		r.Reasons, r.FullReview.Address, r.Answers.Subject = []string{evil}, evil, evil
		r.Answers.Verdict.Trust = mailbox.Trust{Level: mailbox.Suspicious, Reasons: []string{evil}}
		r.Answers.Detail.Screening.Findings[0].Rule = evil
	})
	body := scenario{path: "/review?token=" + url.QueryEscape(evil)}.safePage(t, f)
	if strings.Contains(body, "href") || strings.Count(body, "</pre>") != 4 {
		t.Errorf("not escaped:\n%s", body)
	}
}
