package service_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// noise is bytes that do not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

// mixed is a message with a text and attachments, each in base64.
func mixed(subject string, attachments ...[]byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "From: Ada <ada@sender.test>\r\nTo: bo@example.test\r\nSubject: %s\r\nMessage-ID: "+
		"<%s@sender.test>\r\n"+
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"line\"\r\n\r\n"+
		"--line\r\nContent-Type: text/plain\r\n\r\nSee the files.\r\n", subject, subject)
	for i, data := range attachments {
		fmt.Fprintf(&b, "--line\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; "+
			"filename=\"file%d.bin\"\r\n"+
			"Content-Transfer-Encoding: base64\r\n\r\n", i+1)
		text := base64.StdEncoding.EncodeToString(data)
		for len(text) > 0 {
			n := min(76, len(text))
			b.WriteString(text[:n] + "\r\n")
			text = text[n:]
		}
	}
	b.WriteString("--line--\r\n")
	return b.String()
}

func withAttachment(subject string) string { return mixed(subject, []byte("attached")) }

func TestReceive(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	raw := "Received: from a by b; Sat, 14 Mar 2026 12:00:00 +0000\r\n" +
		"From: =?utf-8?q?Ad=C3=A4?= <ada@sender.test>\r\nTo: Bo <bo@example.test>, own@example.test\r\nCc: " +
		"c@sender.test\r\n" +
		"Reply-To: r@sender.test\r\nSubject: =?utf-8?b?R3LDvMOfZQ==?=\r\nMessage-ID: " +
		"<one@sender.test>\r\nIn-Reply-To: <zero@sender.test>\r\n" +
		"References: <root@sender.test> <zero@sender.test>\r\nDate: Sat, 14 Mar 2026 11:00:00 +0100\r\n\r\nHello\r\n " +
		" there.\r\n"
	receipts := k.receive(raw, "Own+Tag@Example.Test")
	id := receipts[0].ID
	k.same("receipt", receipts, []mailbox.Receipt{{Recipient: "Own+Tag@Example.Test", Mailbox: "own@example.test",
		ID: id}})

	m := k.message(own.read(), id)
	k.same("list row", m.Message, mailbox.Message{
		ID: id, Mailbox: own.Num, Seq: 1, Thread: id, Direction: mailbox.Inbound, Status: "received",
		From: mailbox.Address{Name: "Adä", Address: "ada@sender.test"}, To: "bo@example.test", Subject: "Grüße",
		Snippet:   "Hello there.",
		MessageID: "one@sender.test", ReceivedAt: noon, Size: int64(len(raw)), Labels: []string{"personal"},
		Recipient: "Own+Tag@Example.Test", Digest: m.Digest, Verdict: m.Verdict,
	})
	k.same("list", k.inbox(own.read(), service.InboxQuery{}).Items, []mailbox.Message{m.Message})
	k.same("address", m.Address, "own@example.test")
	k.same("to", m.Detail.To, []mailbox.Address{{Name: "Bo", Address: "bo@example.test"},
		{Address: "own@example.test"}})
	k.same("answers", append([]string{m.Detail.InReplyTo}, m.Detail.References...), []string{"zero@sender.test",
		"root@sender.test", "zero@sender.test"})
	k.same("envelope", m.Detail.Envelope, k.envelope().Trace)
	if !m.Detail.Date.Equal(noon.Add(-2 * 3600e9)) {
		t.Errorf("date %v", m.Detail.Date)
	}
	k.same("text", m.Detail.Text, "Hello\n  there.\n")
	r, err := k.svc.Raw(t.Context(), own.in(mailbox.ReadAttachment), id)
	k.works("Raw", err)
	defer r.Close()
	k.same("raw", readAll(k, r), raw)
	k.noFiles("a small message")
	k.view(func(r store.Reader) error {
		events, err := r.Events(t.Context(), own.Num, 0, 10)
		if len(events) != 1 || events[0].Message != id || events[0].Kind != mailbox.MessageReceived ||
			!events[0].At.Equal(noon) {
			t.Errorf("events %+v", events)
		}
		return err
	})
}

func TestReceiveForSeveral(t *testing.T) {
	for _, c := range []struct {
		name  string
		raw   string
		files int
	}{
		{"small", letter("one"), 0},
		{"large", mixed("one", noise(500<<10)), 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t)
			a, b := k.permanent("a"), k.permanent("b")
			receipts := k.receive(c.raw, "a@example.test", "b@example.test", "A+x@example.test",
				"postmaster@example.test", configured, "b@example.test")
			k.same("files", len(k.files()), min(c.files, 3)) // one for each mailbox
			for i, want := range []bool{false, false, true, false, true, true} {
				if receipts[i].Duplicate != want {
					t.Errorf("receipt %d: duplicate %v", i, receipts[i].Duplicate)
				}
			}
			k.same("the same mailbox twice", []mailbox.ID{receipts[2].ID, receipts[4].ID, receipts[5].ID},
				[]mailbox.ID{receipts[0].ID, receipts[3].ID, receipts[1].ID})
			if receipts[0].ID == receipts[1].ID {
				t.Error("two mailboxes have one id")
			}
			for _, b := range []box{a, b} {
				k.same("messages", k.subjects(b), []string{"one"})
			}
			// Each copy lives on its own.
			k.works("delete", k.svc.DeleteMessage(t.Context(), a.change(), receipts[0].ID))
			r, err := k.svc.Raw(t.Context(), b.in(mailbox.ReadAttachment), receipts[1].ID)
			k.works("Raw", err)
			defer r.Close()
			k.same("the other's copy", readAll(k, r) == c.raw, true)
		})
	}
}

// A mailbox that goes between RCPT and DATA gets no copy, and the others get theirs.
func TestReceiveForMailboxGone(t *testing.T) {
	for _, raw := range []string{letter("one"), mixed("one", noise(500<<10))} {
		k := newService(t)
		gone, stays := k.permanent("gone"), k.permanent("stays")
		env := k.envelope("gone@example.test", "stays@example.test")
		_, err := k.svc.DeleteMailbox(t.Context(), gone.in(mailbox.DeleteMailbox))
		k.works("delete", err)
		receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(raw))
		k.works("Receive", err)
		k.kind("the one that is gone", receipts[0].Err, mailbox.NoSuchRecipient, "no_such_recipient")
		k.works("the one that stays", receipts[1].Err)
		k.same("messages", k.subjects(stays), []string{"one"})
		for _, f := range k.files() {
			if strings.Contains(f, fmt.Sprintf("/%d/", gone.Num)) {
				t.Errorf("%s is left", f)
			}
		}
	}
}

func TestDuplicates(t *testing.T) {
	first := letter("one", "Received: from a by b; Sat, 14 Mar 2026 12:00:00 +0000")
	anonymous := strings.Replace(letter("one"), "Message-ID: <one@sender.test>\r\n", "", 1)
	large := mixed("one", noise(500<<10))
	for _, c := range []struct {
		name          string
		first, second string
		duplicate     bool
	}{
		{"the same", first, first, true},
		{"other trace", first, letter("one", "Received: from c by d; Sat, 14 Mar 2026 13:00:00 +0000", "X-Spam: no",
			"Delivered-To: x"), true},
		{"other text", first, first + "More.\r\n", false},
		{"other subject", first, strings.Replace(first, "Subject: one", "Subject: two", 1), false},
		{"other sender", first, strings.Replace(first, "ada@sender", "eve@sender", 1), false},
		{"other recipient", first, strings.Replace(first, "To: bo@", "To: jo@", 1), false},
		{"other copy", first, letter("one", "Cc: someone@sender.test"), false},
		{"other Message-ID", first, strings.Replace(first, "<one@", "<two@", 1), false},
		{"no Message-ID", anonymous, anonymous, false},
		{"large", large, large, true},
		{"large, other trace", large, "Received: from a by b\r\n" + large, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t)
			own, other := k.permanent("own"), k.permanent("other")
			one := k.receive(c.first, "own@example.test")[0]
			files := len(k.files())
			two := k.receive(c.second, "own+again@example.test")[0]
			if one.Duplicate || two.Duplicate != c.duplicate || (two.ID == one.ID) != c.duplicate {
				t.Errorf("first %+v, second %+v", one, two)
			}
			want := 2
			if c.duplicate {
				want = 1
				k.same("files", len(k.files()), files)
			}
			k.same("messages", len(k.subjects(own)), want)
			if r := k.receive(c.first, "other@example.test")[0]; r.Duplicate {
				t.Error("a duplicate across mailboxes")
			}
			k.same("other's messages", len(k.subjects(other)), 1)
			// Deleted, it may come again.
			k.works("delete", k.svc.DeleteMessage(t.Context(), other.change(),
				k.inbox(other.read(), service.InboxQuery{}).Items[0].ID))
			if r := k.receive(c.first, "other@example.test")[0]; r.Duplicate {
				t.Error("a duplicate of what was deleted")
			}
		})
	}
}

// Deliveries of one message at the same time: all have been read and have their blob before the first is stored.
// Messages of one Message-ID are told apart, and found again, however large they are and whatever way they come; the
// digest of the first is worked out when the second comes.
func TestDuplicatesOfAnySize(t *testing.T) {
	// in a row, in a longer one, in a blob from memory, in a blob as it comes
	for _, size := range []int{100, 70 << 10, 170 << 10, 300 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			k := newService(t)
			k.permanent("own")
			var mails []string
			var ids []mailbox.ID
			for i := range 3 {
				mails = append(mails, mixed("one", append(noise(size), byte(i))))
				r := k.receive(mails[i], "own@example.test")[0]
				if r.Duplicate {
					t.Fatalf("mail %d is taken for another", i)
				}
				ids = append(ids, r.ID)
			}
			for i, m := range mails {
				if r := k.receive("Received: from elsewhere\r\n"+m, "own@example.test")[0]; !r.Duplicate ||
					r.ID != ids[i] {
					t.Errorf("mail %d is not found again", i)
				}
			}
		})
	}
}

func TestDuplicatesAtOnce(t *testing.T) {
	k, wrapped := newServiceOver(t)
	own := k.permanent("own")
	for _, raw := range []string{letter("small"), mixed("large", noise(400<<10))} {
		const n = 8
		env := k.envelope("own@example.test")
		wrapped.before = meet(n)
		answers := make(chan mailbox.Receipt, n)
		for range n {
			go func() {
				receipts, err := k.svc.Receive(context.Background(), env, strings.NewReader(raw))
				if err != nil {
					t.Error(err)
					receipts = make([]mailbox.Receipt, 1)
				}
				answers <- receipts[0]
			}()
		}
		firsts, ids := 0, map[mailbox.ID]bool{}
		for range n {
			r := <-answers
			ids[r.ID] = true
			if !r.Duplicate {
				firsts++
			}
		}
		wrapped.before = nil
		if firsts != 1 || len(ids) != 1 {
			t.Errorf("%d were stored, under %d ids", firsts, len(ids))
		}
	}
	k.same("messages", len(k.subjects(own)), 2)
	k.same("files", len(k.files()), 1)
}

// A message that does not come whole, or is too large, is not there at all.
func TestReceiveFails(t *testing.T) {
	broken := errors.New("connection reset")
	large := mixed("one", noise(2<<20))
	for _, c := range []struct {
		name   string
		limits func(*mailbox.Limits)
		reader func() io.Reader
		kind   mailbox.Kind
		code   string
	}{
		{"cut, small", nil, func() io.Reader {
			return io.MultiReader(strings.NewReader(letter("one")), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, mailbox.Invalid, "incomplete_message"},
		{"cut, large", nil, func() io.Reader {
			return io.MultiReader(strings.NewReader(large), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, mailbox.Invalid, "incomplete_message"},
		{"broken", nil, func() io.Reader { return io.MultiReader(strings.NewReader(large), iotest.ErrReader(broken)) },
			mailbox.Internal, ""},
		{"over the wire limit, small", func(l *mailbox.Limits) { l.WireBytes = int64(len(letter("one"))) - 1 },
			func() io.Reader { return strings.NewReader(letter("one")) }, mailbox.TooLarge, "message_too_large"},
		{"over the wire limit, large", func(l *mailbox.Limits) { l.WireBytes = int64(len(large)) - 1 },
			func() io.Reader { return strings.NewReader(large) }, mailbox.TooLarge, "message_too_large"},
		{"over the decoded limit", func(l *mailbox.Limits) { l.MessageBytes = 2 << 20 },
			func() io.Reader { return strings.NewReader(large) }, mailbox.TooLarge, "message_too_large"},
		{"over the attachment limit", func(l *mailbox.Limits) { l.AttachmentBytes = 2<<20 - 1 },
			func() io.Reader { return strings.NewReader(large) }, mailbox.TooLarge, "message_too_large"},
		{"in circles", nil, func() io.Reader {
			return strings.NewReader(strings.Repeat("Received: from a by b\r\n", 101) + letter("one"))
		}, mailbox.TooManyHops, "mail_loop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t, func(o *service.Options) {
				if c.limits != nil {
					c.limits(&o.Limits)
				}
			})
			own := k.permanent("own")
			receipts, err := k.svc.Receive(t.Context(), k.envelope("own@example.test", configured), c.reader())
			if mailbox.KindOf(err) != c.kind || len(receipts) > 0 {
				t.Errorf("Receive: %v, %v", receipts, err)
			}
			if c.code != "" {
				k.kind("Receive", err, c.kind, c.code)
			}
			k.same("messages", k.subjects(own), []string{})
			k.noFiles("afterwards")
		})
	}
}

// What is exactly as large as may be is taken.
func TestReceiveAtLimit(t *testing.T) {
	large := mixed("one", noise(2<<20))
	k := newService(t, func(o *service.Options) {
		o.Limits.WireBytes, o.Limits.AttachmentBytes = int64(len(large)), 2<<20
	})
	own := k.permanent("own")
	k.receive(large, "own@example.test")
	k.receive(strings.Repeat("Received: from a by b\r\n", 100)+letter("two"), "own@example.test")
	k.same("messages", k.subjects(own), []string{"two", "one"})
}

// A store that refuses leaves no blob behind, and a caller who hung up gets nothing stored.
func TestReceiveStoreFails(t *testing.T) {
	large := mixed("one", noise(500<<10))
	for _, c := range []struct {
		name string
		err  error
		kind mailbox.Kind
	}{
		{"full", fmt.Errorf("%w: no space", store.ErrStorage), mailbox.DiskFull},
		{"closed", store.ErrClosed, mailbox.Unavailable},
		{"given up", context.Canceled, mailbox.Unavailable},
		{"anything", errors.New("anything"), mailbox.Internal},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, wrapped := newServiceOver(t)
			own := k.permanent("own")
			env := k.envelope("own@example.test", configured)
			wrapped.before = func() error { return c.err }
			for _, raw := range []string{letter("small"), large} {
				if _, err := k.svc.Receive(t.Context(), env, strings.NewReader(raw)); mailbox.KindOf(err) != c.kind {
					t.Errorf("Receive: %v, want kind %d", err, c.kind)
				}
			}
			wrapped.before = nil
			k.same("messages", k.subjects(own), []string{})
			k.noFiles("afterwards")
		})
	}
}

// Too little free disk refuses mail before it is read.
func TestReceiveDiskFull(t *testing.T) {
	var free uint64
	k := newService(t, func(o *service.Options) {
		o.Blobs = &smallDisk{o.Blobs, &free}
		o.MinFree = func(total uint64) uint64 { return total / 10 }
	})
	k.permanent("own")
	env := k.envelope("own@example.test")
	env.Size = 500
	for _, c := range []struct {
		name string
		free uint64
		ok   bool
	}{{"none", 0, false}, {"too little for it", 599, false}, {"just enough", 600, true}, {"less again", 100, false}} {
		k.clock.advance(1e9)
		free = c.free
		_, err := k.svc.Receive(t.Context(), env, iotest.ErrReader(errors.New("read")))
		if got := mailbox.KindOf(err) != mailbox.DiskFull; got != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := k.svc.Ready(t.Context()); err != nil {
		t.Errorf("Ready with what must stay free: %v", err)
	}
	free = 99
	k.clock.advance(1e9)
	k.kind("Ready", k.svc.Ready(t.Context()), mailbox.DiskFull, "disk_full")
	k.works("Health", k.svc.Health(t.Context()))
}

// Where nothing must stay free, a service whose disk has no room for the smallest mail is not ready all the same.
func TestReadyWithoutABound(t *testing.T) {
	free := uint64(50_000)
	k := newService(t, func(o *service.Options) {
		o.Blobs = &smallDisk{o.Blobs, &free}
		o.MinFree = func(uint64) uint64 { return 0 }
		o.Owed = func() int64 { return 0 }
	})
	k.kind("Ready", k.svc.Ready(t.Context()), mailbox.DiskFull, "disk_full")
	free = 100_000
	k.clock.advance(1e9)
	k.works("Ready", k.svc.Ready(t.Context()))
}

// smallDisk is a blob store on a disk of 1,000 bytes.
type smallDisk struct {
	blob.Store
	free *uint64
}

func (d *smallDisk) Free() (free, total uint64, err error) { return *d.free, 1000, nil }

// Whatever the bytes are, they are stored as they came and what is wrong is named.
func TestReceiveOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	nested := "Content-Type: message/rfc822\r\n\r\n"
	bomb := "From: a@sender.test\r\nSubject: bomb\r\n" + strings.Repeat(nested, 500) + "end\r\n"
	var wide strings.Builder
	wide.WriteString("From: a@sender.test\r\nSubject: wide\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n")
	for range 5000 {
		wide.WriteString("--x\r\nContent-Disposition: attachment\r\n\r\na\r\n")
	}
	wide.WriteString("--x--\r\n")
	for _, c := range []struct {
		name, raw, defect string
	}{
		{"nothing", "", ""},
		{"no header", "just text, no colon\r\n\r\n", ""},
		{"zero bytes", "Subject: a\x00b\r\n\r\nc\x00d\r\n", ""},
		{"not UTF-8", "Subject: \xff\xfe\r\nFrom: \x80@\x81\r\n\r\n\xff\xfe\r\n", ""},
		{"every byte", string(noise(100_000)), ""},
		{"nested deeply", bomb, "too-deep"},
		{"many parts", wide.String(), "too-many-parts"},
		{"an endless header", "Subject: x\r\n" + strings.Repeat("X-A: "+strings.Repeat("y", 900)+"\r\n", 1000) +
			"\r\nbody\r\n", "header-too-large"},
		{"one endless line", strings.Repeat("x", 3<<20), ""},
		{"bare line feeds", "Subject: lf\nFrom: a@sender.test\n\nbody\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t)
			own := k.permanent("own")
			id := k.receive(c.raw, "own@example.test")[0].ID
			m := k.message(own.read(), id)
			if c.defect != "" && !strings.Contains(strings.Join(m.Detail.Defects, " "), c.defect) {
				t.Errorf("defects %v, want %s", m.Detail.Defects, c.defect)
			}
			r, err := k.svc.Raw(t.Context(), own.in(mailbox.ReadAttachment), id)
			k.works("Raw", err)
			defer r.Close()
			if got := readAll(k, r); got != c.raw {
				t.Errorf("%d bytes came back of %d", len(got), len(c.raw))
			}
			if m.Size != int64(len(c.raw)) {
				t.Errorf("size %d of %d", m.Size, len(c.raw))
			}
			k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), id))
			k.noFiles("deleted")
		})
	}
}

func TestIngest(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := k.operator(mailbox.IngestMail, "own@example.test")
	r, err := k.svc.Ingest(t.Context(), in, strings.NewReader(letter("one")))
	k.works("Ingest", err)
	k.same("receipt", r, mailbox.Receipt{Recipient: "own@example.test", Mailbox: "own@example.test", ID: r.ID})
	again, err := k.svc.Ingest(t.Context(), in, strings.NewReader(letter("one")))
	if err != nil || !again.Duplicate || again.ID != r.ID {
		t.Errorf("again: %+v, %v", again, err)
	}
	k.same("proto", k.message(own.read(), r.ID).Detail.Envelope.Proto, "HTTP")
	_, err = k.svc.PauseMailbox(t.Context(), k.operator(mailbox.PauseMailbox, "own@example.test"), "")
	k.works("pause", err)
	_, err = k.svc.Ingest(t.Context(), k.operator(mailbox.IngestMail, "own@example.test"),
		strings.NewReader(letter("two")))
	k.kind("paused", err, mailbox.Paused, "paused")
}

// A message that was handed in has no envelope: that it has no sender there says nothing.
func TestIngestedAnswer(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	const answer = "From: Kim <kim@example.org>\r\nTo: own@example.test\r\nSubject: Re: The crossing\r\nIn-Reply-To: " +
		"<1@example.test>\r\n%s\r\nAt six, at the pontoon.\r\n"
	for name, tt := range map[string]struct{ field, want string }{
		"nothing is known":     {"", "personal"},
		"from a person":        {"Return-Path: <kim@example.org>\r\n", "personal"},
		"from the null sender": {"Return-Path: <>\r\n", "autoreply"},
	} {
		r, err := k.svc.Ingest(t.Context(), k.operator(mailbox.IngestMail, "own@example.test"),
			strings.NewReader(fmt.Sprintf(answer, tt.field)))
		k.works("Ingest", err)
		k.same(name, strings.Join(k.message(own.read(), r.ID).Labels, " "), tt.want)
	}
}

func TestSnippet(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	for i, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"spaces", " \r\n\t  \r\n", ""},
		{"folded", "  Hello,\r\n\r\n\tbig   world  \r\n", "Hello, big world"},
		{"exactly as long", strings.Repeat("x", 160), strings.Repeat("x", 160)},
		{"one more", strings.Repeat("x", 161), strings.Repeat("x", 159) + "…"},
		{"long words", strings.Repeat("y", 5000), strings.Repeat("y", 159) + "…"},
		{"not cut inside a letter", strings.Repeat("日", 2000), strings.Repeat("日", 159) + "…"},
		{"emoji", strings.Repeat("👍", 400), strings.Repeat("👍", 159) + "…"},
	} {
		raw := fmt.Sprintf("From: a@sender.test\r\nMessage-ID: <%d@x>\r\nContent-Type: text/plain; charset=utf-8\r\n"+
			"Content-Transfer-Encoding: 8bit\r\n\r\n%s", i, c.text)
		m := k.message(own.read(), k.receive(raw, "own@example.test")[0].ID)
		if m.Snippet != c.want {
			t.Errorf("%s: %q, want %q", c.name, m.Snippet, c.want)
		}
	}
}
