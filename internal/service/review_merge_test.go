package service_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// An edit of the header keeps the body to the byte, whatever it is; one of the body is refused where something would be
// lost.
func TestReviewEditKeepsBody(t *testing.T) {
	h := newHand(t)
	h.box.policy(mailbox.ReviewAll)
	const body = "--b\r\nContent-Type: text/plain\r\n\r\none\r\n--b\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n" +
		"--b\r\nContent-Type: text/html\r\n\r\n<p>Disclaimer</p>\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n" +
		"Subject: inner\r\n\r\ninner text\r\n--b--\r\n"
	id, err := h.submit("From: robin@example.test\r\nSender: wren@example.test\r\nTo: bob@far.test\r\nSubject: held\r\n"+
		"Message-ID: <own@laptop.local>\r\nX-Order: 7\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"+body,
		"bob@far.test")
	h.works("submit", err)
	page, err := h.box.editReview(id, mailbox.DraftEdit{Draft: mailbox.Draft{Subject: "Grüße",
		To: []string{"Dan <dan@far.test>"}}, Given: []string{"subject", "to"}})
	h.works("edit", err)
	raw := h.raw(h.box, id)
	head, rest, _ := strings.Cut(raw, "\r\n\r\n")
	if rest != body {
		t.Errorf("the body is %q", rest)
	}
	for _, want := range []string{"Sender: wren@example.test", "Message-ID: <own@laptop.local>", "X-Order: 7",
		"To: Dan <dan@far.test>", "Content-Type: multipart/mixed; boundary=b"} {
		if strings.Count(head+"\r\n", "\r\n"+want+"\r\n") != 1 {
			t.Errorf("no %s in %s", want, head)
		}
	}
	if strings.Contains(head, "held") || strings.Contains(head, "bob@") || page.Email.Subject != "Grüße" {
		t.Errorf("the header is %s", head)
	}
	for _, member := range []string{"text", "attachments"} {
		_, err = h.box.editReview(id, mailbox.DraftEdit{Draft: mailbox.Draft{Text: "y", HasText: true},
			Given: []string{member, "html"}})
		wantCode(t, err, "review_not_editable")
	}
}

// A text that was handed in can be edited, and keeps what stands in its header.
func TestReviewEditKeepsHeader(t *testing.T) {
	h := newHand(t)
	h.box.policy(mailbox.ReviewAll)
	id, err := h.submit("From: robin@example.test\r\nSender: wren@example.test\r\nTo: bob@far.test\r\nSubject: held\r\n"+
		"Message-ID: <own@laptop.local>\r\nContent-Type: text/plain; charset=latin1\r\n\r\nx\r\n", "bob@far.test")
	h.works("submit", err)
	page, err := h.box.editReview(id, mailbox.DraftEdit{Draft: mailbox.Draft{Text: "ü", HasText: true},
		Given: []string{"text"}})
	h.works("edit", err)
	raw := h.raw(h.box, id)
	if !strings.Contains(raw, "Sender: wren@") || page.Email.MessageID != "own@laptop.local" ||
		strings.Contains(raw, "latin1") || strings.TrimSpace(page.Email.Detail.Text) != "ü" {
		t.Errorf("edited to %s", raw)
	}
}
