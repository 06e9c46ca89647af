package service_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// hand is a program that hands in mail for a mailbox.
type hand struct {
	*kit
	box box
	who mailbox.Caller
}

// newHand logs in to a new mailbox robin@, which is also wren@.
func newHand(t *testing.T, change ...func(*service.Options)) hand {
	k := newService(t, change...)
	b := k.insert(mailbox.Mailbox{Address: "robin@example.test", Aliases: []string{"wren@example.test"},
		Scope: mailbox.Permanent})
	who, err := k.svc.Login(t.Context(), alice, "robin@example.test", b.Key)
	k.works("Login", err)
	return hand{k, b, who}
}

func (h hand) submit(raw string, to ...string) (mailbox.ID, error) {
	return h.submitFrom(strings.NewReader(raw), to...)
}

func (h hand) submitFrom(r io.Reader, to ...string) (mailbox.ID, error) {
	env := mailbox.Envelope{Trace: mailbox.Trace{From: "robin@example.test", Remote: "192.0.2.7", Helo: "laptop.local",
		Proto: "ESMTPSA"}}
	for _, a := range to {
		env.Recipients = append(env.Recipients, mailbox.Recipient{Address: a})
	}
	receipt, err := h.svc.Submit(h.Context(), h.who, env, r)
	return receipt.ID, err
}

// sent hands in a message that must be taken, and returns it as it is stored, with its bytes.
func (h hand) sent(raw string, to ...string) (service.FullMessage, string) {
	h.Helper()
	id, err := h.submit(raw, to...)
	h.works("Submit", err)
	r, err := h.svc.Raw(h.Context(), h.box.in(mailbox.ReadAttachment), id)
	h.works("Raw", err)
	defer r.Close()
	return h.message(h.box.read(), id), readAll(h.kit, r)
}

// The header is put in order and the body stays.
func TestSubmitHeader(t *testing.T) {
	const (
		trace = "Received: from laptop.local ([192.0.2.7])\r\n\tby mx.example.test with ESMTPSA id ID;\r\n\tSat, 14 " +
			"Mar 2026 12:00:00 +0000\r\n"
		date  = "Date: Sat, 14 Mar 2026 12:00:00 +0000\r\n"
		named = "Message-ID: <NEW>\r\n"
	)
	for _, row := range []struct{ name, raw, want string }{
		{"complete", "From: robin@example.test\r\nDate: x\r\nMessage-ID: <a@b>\r\n\r\nx\r\n",
			trace + "From: robin@example.test\r\nDate: x\r\nMessage-ID: <a@b>\r\n\r\nx\r\n"},
		{"what is missing", "From: robin@example.test\r\n\r\nx",
			trace + date + named + "From: robin@example.test\r\n\r\nx"},
		{"a Message-ID that is none", "Message-Id:\r\n \r\nFrom: robin@example.test\r\ndate: y\r\n\r\nx",
			trace + named + "From: robin@example.test\r\ndate: y\r\n\r\nx"},
		{"what is private", "Return-Path: <a@b>\r\nFrom: robin@example.test\r\nBCC: a@far.test,\r\n\tb@far.test,\r\n " +
			"c@far.test\r\nBcc : d@far.test\r\nResent-Bcc: e@far.test\r\nTo: f@far.test\r\n\r\nBcc: stays\r\n",
			trace + date + named + "From: robin@example.test\r\nTo: f@far.test\r\n\r\nBcc: stays\r\n"},
		{"line ends", "From: robin@example.test\nSubject: a\n b\r\n\na\nb\rc\r\n\r\r\nd\r",
			trace + date + named + "From: robin@example.test\r\nSubject: a\r\n b\r\n\r\na\r\nb\r\nc\r\n\r\n\r\nd\r\n"},
		{"no body", "From: robin@example.test", trace + date + named + "From: robin@example.test\r\n\r\n"},
		{"a long field", "From: robin@example.test\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\n\r\nx",
			trace + date + named + "From: robin@example.test\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\n\r\nx"},
		{"several own", "From: Robin <robin@example.test>, WREN@example.test (me)\r\nSender: wren@example.test\r\n\r\nx",
			trace + date + named + "From: Robin <robin@example.test>, WREN@example.test (me)\r\nSender: " +
				"wren@example.test\r\n\r\nx"},
		{"folded and coded", "From: =?utf-8?q?R=C3=B6bin?=\r\n\t<robin@example.test>\r\n\r\nx",
			trace + date + named + "From: =?utf-8?q?R=C3=B6bin?=\r\n\t<robin@example.test>\r\n\r\nx"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHand(t, func(o *service.Options) { o.Hostname = "mx.example.test" })
			m, raw := h.sent(row.raw, "bob@far.test")
			want := strings.NewReplacer("ID;", m.ID.String()+";", "<NEW>", "<"+m.MessageID+">").Replace(row.want)
			h.same("message", raw, want)
			if m.MessageID == "" || m.From.Address != "robin@example.test" || m.Direction != mailbox.Outbound ||
				m.Detail.Envelope.Proto != "ESMTPSA" {
				t.Errorf("%+v", m.Message)
			}
		})
	}
}

func TestSubmitRefused(t *testing.T) {
	const own = "From: robin@example.test\r\n"
	for _, row := range []struct {
		name, head string
		kind       mailbox.Kind
		code       string
	}{
		{"no From", "Subject: x\r\n", mailbox.Forbidden, "foreign_sender"},
		{"no header", "", mailbox.Forbidden, "foreign_sender"},
		{"foreign From", "From: eve@example.test\r\n", mailbox.Forbidden, "foreign_sender"},
		{"foreign beside own", "From: robin@example.test, eve@far.test\r\n", mailbox.Forbidden, "foreign_sender"},
		{"own as the name", "From: \"robin@example.test\" <eve@far.test>\r\n", mailbox.Forbidden, "foreign_sender"},
		{"own in a comment", "From: (robin@example.test) eve@far.test\r\n", mailbox.Forbidden, "foreign_sender"},
		{"two From", own + own, mailbox.Forbidden, "foreign_sender"},
		{"two From, one written oddly", own + "FROM\t: eve@far.test\r\n", mailbox.Forbidden, "foreign_sender"},
		{"second From beyond what is parsed", own + strings.Repeat("X: y\r\n", 3000) + "From: eve@far.test\r\n",
			mailbox.Forbidden, "foreign_sender"},
		{"group", "From: us: robin@example.test;\r\n", mailbox.Forbidden, "foreign_sender"},
		{"foreign Sender", own + "Sender: eve@far.test\r\n", mailbox.Forbidden, "foreign_sender"},
		{"From after a CR", own + "Subject: x\rFrom: eve@far.test\r\n", mailbox.Invalid, "invalid_header"},
		{"NUL", own + "Subject: x\x00\r\n", mailbox.Invalid, "invalid_header"},
		{"fold before everything", " From: eve@far.test\r\n" + own, mailbox.Invalid, "invalid_header"},
		{"no field", own + "just text\r\n", mailbox.Invalid, "invalid_header"},
		{"mbox line", "From robin Sat Mar 14\r\n" + own, mailbox.Invalid, "invalid_header"},
		{"too large", own + "X: " + strings.Repeat("x", 256_000) + "\r\n", mailbox.TooLarge, "header_too_large"},
		{"loop", strings.Repeat("Received: from a by b\r\n", 100) + own, mailbox.TooManyHops, "mail_loop"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHand(t)
			_, err := h.submit(row.head+"\r\nFrom: robin@example.test\r\n", "bob@far.test")
			h.kind("Submit", err, row.kind, row.code)
			h.same("messages", h.subjects(h.box), []string{})
		})
	}
}

func TestSubmitDelivers(t *testing.T) {
	h := newHand(t)
	inside, hidden := h.permanent("bo"), h.permanent("hidden")
	raw := "From: Robin <robin@example.test>\r\nTo: Bo <BO@example.test>\r\nCc: far@far.test\r\nBcc: " +
		"hidden@example.test\r\nSubject: Hello\r\n\r\nA text.\r\n"
	m, _ := h.sent(raw, "bo@example.test", "Far@FAR.test", "hidden@example.test", "Bo@Example.Test")
	h.same("bcc", m.Detail.Bcc, []mailbox.Address{{Address: "hidden@example.test"}})
	var status []string
	for _, d := range m.Detail.Deliveries {
		status = append(status, d.Recipient+" "+string(d.Status))
	}
	h.same("deliveries", status, []string{"bo@example.test delivered", "Far@far.test queued",
		"hidden@example.test delivered"})
	for _, b := range []box{inside, hidden} {
		list := h.inbox(b.read(), service.InboxQuery{}).Items
		if len(list) != 1 || list[0].Subject != "Hello" || list[0].MessageID != m.MessageID {
			t.Fatalf("%s has %+v", b.Address, list)
		}
		got := h.message(b.read(), list[0].ID)
		h.same("what others see", got.Detail.Bcc, []mailbox.Address{})
	}
}

// A large message goes through without being held, and one that is cut off leaves nothing.
func TestSubmitLarge(t *testing.T) {
	h := newHand(t)
	body := strings.Repeat(strings.Repeat("0123456789", 7)+"\r\n", 20_000)
	raw := "From: robin@example.test\r\nSubject: large\r\n\r\n" + body
	m, stored := h.sent(raw, "bob@far.test")
	if !strings.HasSuffix(stored, raw) || m.Size != int64(len(stored)) {
		t.Errorf("%d bytes of %d", len(stored), len(raw))
	}
	files := len(h.files())
	_, err := h.submitFrom(io.MultiReader(strings.NewReader(raw), iotest.ErrReader(io.ErrUnexpectedEOF)),
		"bob@far.test")
	h.kind("cut off in the body", err, mailbox.Invalid, "incomplete_message")
	_, err = h.submitFrom(io.MultiReader(strings.NewReader(raw[:20]), iotest.ErrReader(io.ErrUnexpectedEOF)),
		"bob@far.test")
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off in the header: %v", err)
	}
	h.same("messages", h.subjects(h.box), []string{"large"})
	h.same("files", len(h.files()), files)
}

func TestSubmitLimits(t *testing.T) {
	h := newHand(t, func(o *service.Options) {
		o.Limits.DailySends, o.Limits.Recipients, o.Limits.WireBytes = 2, 3,
			5000
	})
	raw := "From: robin@example.test\r\n\r\nx\r\n"
	_, err := h.submit(raw, "a@far.test", "b@far.test", "c@far.test", "d@far.test")
	h.kind("recipients", err, mailbox.Invalid, "too_many_recipients")
	_, err = h.submit(raw+strings.Repeat("x", 5000), "a@far.test")
	h.kind("size", err, mailbox.TooLarge, "message_too_large")
	for i := range 2 {
		_, err := h.submit(raw, "a@far.test", "A@far.test", "b@far.test", "c@far.test")
		h.works(fmt.Sprint("send ", i), err)
	}
	_, err = h.submit(raw, "a@far.test")
	h.kind("daily limit", err, mailbox.Limited, "daily_send_limit")
	off := newHand(t, func(o *service.Options) { o.Way = service.WayOff })
	_, err = off.submit(raw, "a@far.test")
	off.kind("sending is off", err, mailbox.Unimplemented, "sending_unavailable")
}

// What the client calls itself cannot break the trace.
func TestSubmitTrace(t *testing.T) {
	for _, row := range []struct{ helo, remote, want string }{
		{"[192.0.2.1]", "2001:db8::1", "Received: from [192.0.2.1] ([IPv6:2001:db8::1])\r\n"},
		{"a;b(c)", "192.0.2.1", "Received: from unknown ([192.0.2.1])\r\n"},
		{"zoë.test", "", "Received: from unknown\r\n"},
	} {
		t.Run(row.helo, func(t *testing.T) {
			h := newHand(t)
			env := mailbox.Envelope{Trace: mailbox.Trace{Remote: row.remote, Helo: row.helo, Proto: "ESMTPA"},
				Recipients: []mailbox.Recipient{{Address: "bob@far.test"}}}
			got, err := h.svc.Submit(t.Context(), h.who, env,
				strings.NewReader("From: robin@example.test\r\n\r\nx\r\n"))
			h.works("Submit", err)
			r, err := h.svc.Raw(t.Context(), h.box.in(mailbox.ReadAttachment), got.ID)
			h.works("Raw", err)
			defer r.Close()
			if raw := readAll(h.kit, r); !strings.HasPrefix(raw, row.want) {
				t.Errorf("got %.200q", raw)
			}
		})
	}
}
