package service_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// edit is an edit that gives every member of a draft that is not empty.
func edit(d mailbox.Draft, given ...string) mailbox.DraftEdit {
	for name, is := range map[string]bool{"to": d.To != nil, "subject": d.Subject != "", "text": d.HasText,
		"html": d.HasHTML, "attachments": d.Attachments != nil, "send_at": !d.SendAt.IsZero(),
		"email_id": d.EmailID != "", "from": d.From != "", "cc": d.Cc != nil} {
		if is {
			given = append(given, name)
		}
	}
	return mailbox.DraftEdit{Draft: d, Given: given}
}

func file(name string, content []byte) mailbox.Attachment {
	return mailbox.Attachment{Filename: name, ContentType: "application/octet-stream", Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

func (b box) draft(e mailbox.DraftEdit) service.FullDraft {
	b.k.Helper()
	d, err := b.k.svc.CreateDraft(b.k.Context(), b.in(mailbox.SendMail), e)
	b.k.works("CreateDraft", err)
	return d
}

func (b box) edit(id mailbox.ID, e mailbox.DraftEdit) (service.FullDraft, error) {
	return b.k.svc.EditDraft(b.k.Context(), b.in(mailbox.SendMail), id, e)
}

func (b box) sendDraft(id mailbox.ID) (service.Sending, error) {
	return b.k.svc.SendDraft(b.k.Context(), b.in(mailbox.SendMail),
		service.DraftSend{DraftRef: mailbox.DraftRef{ID: id}})
}

// bytes is what the mailbox counts as stored.
func (b box) bytes() (n int64) {
	b.k.Helper()
	b.k.view(func(r store.Reader) error {
		c, err := r.Counters(b.k.Context(), b.Mailbox.Num)
		n = c.Bytes
		return err
	})
	return n
}

func TestDraft(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("robin"), k.permanent("other")
	full := draftTo("Ann <ann@other.test>")
	full.From, full.HTML, full.HasHTML, full.Cc = "robin@example.test", "<p>Hi</p>", true, []string{"half an addr"}
	full.SendAt, full.Attachments = noon.Add(time.Hour), []mailbox.Attachment{file("a.txt", []byte("small"))}
	made := b.draft(edit(full))
	got, err := k.svc.Draft(t.Context(), b.in(mailbox.SendMail), made.ID)
	k.works("Draft", err)
	if !reflect.DeepEqual(got, made) || got.Version != 1 || got.Text != full.Text || got.HTML != full.HTML ||
		!got.SendAt.Equal(full.SendAt) || len(got.Files) != 1 || got.Address != b.Mailbox.Address {
		t.Errorf("got %+v\nwant %+v", got, made)
	}
	if size := b.bytes(); size != made.Size || size < int64(len(full.Text+full.HTML)+5) {
		t.Errorf("the mailbox counts %d bytes, the draft %d", size, made.Size)
	}
	_, err = k.svc.Draft(t.Context(), other.in(mailbox.SendMail), made.ID)
	k.kind("of another mailbox", err, mailbox.NotFound, "not_found")
	list, err := k.svc.Drafts(t.Context(), b.in(mailbox.SendMail), service.DraftsQuery{Page: service.Page{Limit: 10}})
	if err != nil || len(list.Items) != 1 || list.Items[0].Text != "" || list.Items[0].Snippet != "Hello there." {
		t.Errorf("list: %+v, %v", list, err)
	}
	k.works("delete", k.svc.DeleteDraft(t.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: made.ID}))
	err = k.svc.DeleteDraft(t.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: made.ID})
	k.kind("deleted again", err, mailbox.NotFound, "not_found")
	k.same("bytes", b.bytes(), int64(0))
}

// Of two who edit the same version one is told, and is not written over.
func TestDraftVersions(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d := b.draft(edit(draftTo("ann@other.test")))
	one, two := edit(mailbox.Draft{Subject: "One"}), edit(mailbox.Draft{Subject: "Two"})
	_, err := b.edit(d.ID, one)
	k.kind("without a version", err, mailbox.Invalid, "invalid_version")
	one.Version, two.Version = 1, 1
	got, err := b.edit(d.ID, one)
	if err != nil || got.Version != 2 || got.Subject != "One" || got.Text != "Hello there." {
		t.Errorf("first: %+v, %v", got, err)
	}
	_, err = b.edit(d.ID, two)
	wantVersion(t, err, 2)
	_, err = k.svc.AttachToDraft(t.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: d.ID},
		[]mailbox.Attachment{file("a", []byte("x"))})
	k.works("attach", err)
	two.Version = 2
	_, err = b.edit(d.ID, two)
	wantVersion(t, err, 3)
	err = k.svc.DeleteDraft(t.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: d.ID, Version: 2})
	wantVersion(t, err, 3)
	_, err = k.svc.SendDraft(t.Context(), b.in(mailbox.SendMail),
		service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID, Version: 2}})
	wantVersion(t, err, 3)
	clear := mailbox.DraftEdit{Given: []string{"text", "to", "attachments"}, Version: 3}
	got, err = b.edit(d.ID, clear)
	if err != nil || got.HasText || got.To != nil || got.Files != nil || got.Subject != "One" {
		t.Errorf("cleared: %+v, %v", got, err)
	}
}

func wantVersion(t *testing.T, err error, version int64) {
	t.Helper()
	wantCode(t, err, "draft_changed")
	if e, ok := err.(*mailbox.Error); ok && e.Version != version {
		t.Errorf("the error says version %d, want %d", e.Version, version)
	}
}

// A draft that was sent is not sent again, says what it was sent as, and takes no room.
func TestSendDraft(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	e := edit(draftTo("ann@other.test"))
	large := noise(300_000)
	e.Attachments, e.Given = []mailbox.Attachment{file("small.txt", []byte("small")), file("large.bin", large)},
		append(e.Given, "attachments")
	d := b.draft(e)
	if n := len(k.files()); n != 1 {
		t.Errorf("%d blobs, want that of the large attachment", n)
	}
	k.works("sweep", k.svc.SweepBlobs(t.Context()))
	dry, err := k.svc.SendDraft(t.Context(), b.in(mailbox.SendMail),
		service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}, DryRun: true})
	if err != nil || dry.Preview == nil || dry.Preview.Size < 400_000 || len(b.kinds()) != 0 {
		t.Errorf("dry run: %+v, %v", dry.Preview, err)
	}
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address),
		service.NewKey{Capabilities: []string{"draft"}})
	k.works("CreateKey", err)
	q := service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}}
	_, err = k.svc.SendDraft(t.Context(), k.enter(made.Secret, mailbox.DraftMail, ""), q)
	k.kind("sent with a key for drafts", err, mailbox.Denied, "scope_denied")
	q.DryRun = true
	dry, err = k.svc.SendDraft(t.Context(), k.enter(made.Secret, mailbox.DraftMail, ""), q)
	if err != nil || dry.Preview == nil {
		t.Errorf("dry run with a key for drafts: %+v, %v", dry, err)
	}
	first, err := b.sendDraft(d.ID)
	k.works("send", err)
	again, err := b.sendDraft(d.ID)
	if err != nil || again != first || len(b.kinds()) != 1 {
		t.Errorf("again: %+v, %v, want %+v; events %v", again, err, first, b.kinds())
	}
	m := b.message(first.ID)
	if len(m.Detail.Parts) != 2 || m.Subject != "Hello" {
		t.Fatalf("sent as %+v", m)
	}
	a, err := k.svc.Attachment(t.Context(), b.in(mailbox.ReadAttachment), first.ID.Part(m.Detail.Parts[1].Index))
	k.works("attachment", err)
	if got := readAll(k, a); got != string(large) {
		t.Errorf("the attachment has %d bytes, want %d", len(got), len(large))
	}
	k.works("close", a.Close())
	if size := b.bytes(); size != m.Size {
		t.Errorf("the mailbox counts %d bytes, the message has %d", size, m.Size)
	}
	if n := len(k.files()); n != 1 {
		t.Errorf("%d blobs, want that of the message", n)
	}
	one := edit(mailbox.Draft{Subject: "Late"})
	one.Version = d.Version
	_, err = b.edit(d.ID, one)
	k.kind("edit", err, mailbox.Conflict, "draft_sent")
	err = k.svc.DeleteDraft(t.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: d.ID})
	k.kind("delete", err, mailbox.Conflict, "draft_sent")
	got, err := k.svc.Draft(t.Context(), b.in(mailbox.SendMail), d.ID)
	if err != nil || got.Sent == nil || got.Sent.Message != first.ID || got.Text != "" || got.Subject != "" ||
		got.To != nil ||
		got.Snippet != "" {
		t.Errorf("sent draft: %+v, %v", got, err)
	}
	k.clock.advance(29 * 24 * time.Hour)
	k.works("trim", k.svc.Trim(t.Context()))
	if again, err := b.sendDraft(d.ID); err != nil || again != first {
		t.Errorf("after 29 days: %+v, %v", again, err)
	}
	k.clock.advance(2 * 24 * time.Hour)
	k.works("trim", k.svc.Trim(t.Context()))
	_, err = b.sendDraft(d.ID)
	k.kind("after 31 days", err, mailbox.NotFound, "not_found")
}

// What another node does between the reading of a draft and the transaction that sends it counts.
func TestSendDraftMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(b box, d service.FullDraft) error
		code      string // of the send; empty: it has the other's answer
		sent      int
	}{
		"sent": {func(b box, d service.FullDraft) error { _, err := b.sendDraft(d.ID); return err }, "", 1},
		"edited": {func(b box, d service.FullDraft) error {
			e := edit(mailbox.Draft{Subject: "Other"})
			e.Version = d.Version
			_, err := b.edit(d.ID, e)
			return err
		}, "draft_changed", 0},
		"deleted": {func(b box, d service.FullDraft) error {
			return b.k.svc.DeleteDraft(b.k.Context(), b.in(mailbox.SendMail), mailbox.DraftRef{ID: d.ID})
		}, "not_found", 0},
	} {
		t.Run(name, func(t *testing.T) {
			k := newService(t)
			b := k.permanent("robin")
			e := edit(draftTo("ann@other.test"))
			e.Attachments = []mailbox.Attachment{file("large.bin", noise(300_000))}
			e.Given = append(e.Given, "attachments")
			d := b.draft(e)
			between := &storeWith{Store: k.db}
			opt := k.opt
			opt.Store = between
			node, err := service.Open(t.Context(), opt)
			k.works("open", err)
			in := b.in(mailbox.SendMail)
			between.before = func() error {
				between.before = nil
				return c.meanwhile(b, d)
			}
			got, err := node.SendDraft(t.Context(), in, service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}})
			if c.code != "" {
				wantCode(t, err, c.code)
			} else if first, _ := b.sendDraft(d.ID); err != nil || got != first {
				t.Errorf("got %+v, %v; want %+v", got, err, first)
			}
			if n := len(b.kinds()); n != c.sent {
				t.Errorf("%d were sent, want %d", n, c.sent)
			}
			if n := len(k.files()); c.code != "draft_changed" && n != c.sent {
				t.Errorf("%d blobs are left, want %d", n, c.sent)
			}
		})
	}
}

func TestSendDraftTogether(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d, in := b.draft(edit(draftTo("ann@other.test"))), b.in(mailbox.SendMail)
	b.sendsOnce(func() (service.Sending, error) {
		return k.svc.SendDraft(t.Context(), in, service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}})
	})
}

// A draft that answers or forwards does so as the message is when it is sent.
func TestDraftAbout(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	id := k.receive(letter("question"), b.Mailbox.Address)[0].ID
	about := func(verb string) mailbox.DraftEdit {
		e := edit(mailbox.Draft{EmailID: id.String(), Text: "Yes.", HasText: true}, verb)
		e.Reply, e.Forward = verb == "reply", verb == "forward"
		return e
	}
	reply := b.draft(about("reply"))
	sent, err := b.sendDraft(reply.ID)
	k.works("reply", err)
	m := b.message(sent.ID)
	if m.Subject != "Re: question" || m.Detail.InReplyTo != "question@sender.test" || m.Thread != b.message(id).Thread {
		t.Errorf("reply: %+v", m)
	}
	e := about("forward")
	e.To, e.Given = []string{"ann@other.test"}, append(e.Given, "to")
	forward := b.draft(e)
	sent, err = b.sendDraft(forward.ID)
	k.works("forward", err)
	if m := b.message(sent.ID); !strings.Contains(m.Detail.Text, "The text of question.") {
		t.Errorf("forward: %q", m.Detail.Text)
	}
	for name, c := range map[string]struct {
		e    mailbox.DraftEdit
		code string
	}{
		"neither": {edit(mailbox.Draft{EmailID: id.String()}), "invalid_reply"},
		"both": {mailbox.DraftEdit{Draft: mailbox.Draft{EmailID: id.String()}, Reply: true, Forward: true,
			Given: []string{"email_id", "reply", "forward"}}, "invalid_reply"},
		"no message": {mailbox.DraftEdit{Reply: true, Given: []string{"reply"}}, "invalid_email_id"},
		"of another": {mailbox.DraftEdit{Draft: mailbox.Draft{EmailID: mailbox.NewID(noon).String()}, Reply: true,
			Given: []string{"email_id", "reply"}}, "invalid_email_id"},
	} {
		_, err := k.svc.CreateDraft(t.Context(), b.in(mailbox.SendMail), c.e)
		k.kind(name, err, mailbox.Invalid, c.code)
	}
	late := b.draft(about("reply"))
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), id))
	_, err = b.sendDraft(late.ID)
	k.kind("reply to a deleted message", err, mailbox.Conflict, "email_deleted")
	own := mailbox.DraftEdit{Given: []string{"email_id", "to", "subject"}, Version: late.Version}
	own.To, own.Subject = []string{"ann@other.test"}, "Anyway"
	_, err = b.edit(late.ID, own)
	k.works("edit", err)
	_, err = b.sendDraft(late.ID)
	k.works("send as a message of its own", err)
}

// Attachments that are added at the same time are all there, each with a number of its own.
func TestDraftAttachments(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d, in := b.draft(edit(draftTo("ann@other.test"))), b.in(mailbox.SendMail)
	ref := mailbox.DraftRef{ID: d.ID}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			list := []mailbox.Attachment{file(fmt.Sprint(i), noise(200_000+i))}
			_, err := k.svc.AttachToDraft(t.Context(), in, ref, list)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := k.svc.Draft(t.Context(), in, d.ID)
	if err != nil || got.Version != 9 || len(got.Files) != 8 || len(k.files()) != 8 || got.Files[7].N != 8 {
		t.Fatalf("%d files of version %d, %v; %d blobs", len(got.Files), got.Version, err, len(k.files()))
	}
	got, err = k.svc.DetachFromDraft(t.Context(), in, ref, 8)
	if err != nil || len(got.Files) != 7 || len(k.files()) != 7 {
		t.Errorf("%d files, %v; %d blobs", len(got.Files), err, len(k.files()))
	}
	_, err = k.svc.DetachFromDraft(t.Context(), in, ref, 8)
	k.kind("twice", err, mailbox.NotFound, "not_found")
	got, err = k.svc.AttachToDraft(t.Context(), in, ref, []mailbox.Attachment{file("new", []byte("x"))})
	if err != nil || got.Files[7].N != 9 {
		t.Errorf("the number of one that was removed was given again: %+v, %v", got.Files, err)
	}
	k.works("delete", k.svc.DeleteDraft(t.Context(), in, ref))
	k.noFiles("after the draft")
	_, err = k.svc.AttachToDraft(t.Context(), in, ref, []mailbox.Attachment{file("late", noise(300_000))})
	k.kind("to a deleted draft", err, mailbox.NotFound, "not_found")
	k.noFiles("after one that came too late")
}

func TestDraftLimits(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Limits.MessageBytes, o.Limits.AttachmentBytes = 1000, 600
	})
	b := k.permanent("robin")
	d, in := b.draft(edit(draftTo("ann@other.test"))), b.in(mailbox.SendMail)
	attach := func(size int) error {
		_, err := k.svc.AttachToDraft(t.Context(), in, mailbox.DraftRef{ID: d.ID},
			[]mailbox.Attachment{file("a", make([]byte, size))})
		return err
	}
	k.kind("one attachment", attach(601), mailbox.TooLarge, "attachment_too_large")
	k.works("attach", attach(600))
	k.kind("all together", attach(600), mailbox.TooLarge, "message_too_large")
	k.update(func(tx store.Tx) error {
		for range 999 {
			if err := tx.InsertDraft(t.Context(), &store.Draft{ID: mailbox.NewID(noon), Mailbox: b.Mailbox.Num,
				Head: []byte("{}")}); err != nil {
				return err
			}
		}
		return nil
	})
	_, err := k.svc.CreateDraft(t.Context(), in, edit(draftTo("ann@other.test")))
	k.kind("one too many", err, mailbox.Conflict, "too_many_drafts")
}

// The operator finds a draft by its id alone, and sends it from its own mailbox.
func TestDraftOfOperator(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	op := k.operator(mailbox.SendMail, "")
	e := edit(draftTo("ann@other.test"))
	e.From, e.Given = b.Mailbox.Address, append(e.Given, "from")
	d, err := k.svc.CreateDraft(t.Context(), op, e)
	if err != nil || d.Address != b.Mailbox.Address {
		t.Fatalf("made in %s, %v", d.Address, err)
	}
	change := edit(mailbox.Draft{Subject: "By the operator"})
	change.Version = 1
	_, err = k.svc.EditDraft(t.Context(), op, d.ID, change)
	k.works("edit", err)
	sent, err := k.svc.SendDraft(t.Context(), op, service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}})
	k.works("send", err)
	if m := b.message(sent.ID); m.Subject != "By the operator" || m.From.Address != b.Mailbox.Address {
		t.Errorf("sent %+v", m.Message)
	}
}
