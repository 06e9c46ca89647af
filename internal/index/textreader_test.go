package index_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// withFiles is a mail with several files of one kind.
func withFiles(subject, contentType, ending string, contents ...string) string {
	var b strings.Builder
	b.WriteString("From: ann@other.test\r\nTo: robin@example.test\r\nSubject: " + subject +
		"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nThe body of " + subject +
		".\r\n")
	for i, c := range contents {
		fmt.Fprintf(&b, "--b\r\nContent-Type: %s; name=f%d.%s\r\nContent-Disposition: attachment; "+
			"filename=f%d.%s\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n",
			contentType, i, ending, i, ending, base64.StdEncoding.EncodeToString([]byte(c)))
	}
	b.WriteString("--b--\r\n")
	return b.String()
}

// openings counts how often contents of messages are read from the store.
type openings struct {
	store.Store
	n int
}

func (o *openings) View(ctx context.Context, fn func(store.Reader) error) error {
	return o.Store.View(ctx, func(r store.Reader) error { return fn(countingReader{r, o}) })
}

type countingReader struct {
	store.Reader
	o *openings
}

func (r countingReader) Content(ctx context.Context, m mailbox.Message) (store.Content, error) {
	r.o.n++
	return r.Reader.Content(ctx, m)
}

// The attachments of a message are read once: who reads the message again, also after a restart, gets what was kept.
func TestAttachmentsAreReadOnce(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	for _, kind := range []string{"text/csv", "text/xml", "application/pdf"} {
		id := k.receive(withFile(kind, "a.dat", "<a>pears</a>"), b.Address)[0].ID
		first := k.readTexts(b, id)
		k.svc.Index().Wait()
		counted := &openings{Store: k.DB}
		k.Options.Store = counted
		again, err := service.Open(t.Context(), k.Options)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			m, err := again.Message(t.Context(), b.read(), id, service.MessageOptions{})
			if err != nil || m.Detail.Texts[1] != first {
				t.Errorf("%s: got %+v, %v, want %+v", kind, m.Detail.Texts, err, first)
			}
		}
		again.Index().Wait()
		if counted.n != 3 { // each showed the message, and nothing read its attachment
			t.Errorf("%s: the message was opened %d times to be shown three times", kind, counted.n)
		}
	}
}

// readTexts reads a message until the text of its attachment is there.
func (k *kit) readTexts(b box, id mailbox.ID) mailbox.PartText {
	k.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		if t := b.message(id).Detail.Texts[1]; t.Status != "pending" {
			return t
		}
		if time.Now().After(deadline) {
			k.Fatal("still pending")
		}
	}
}

// Deleting a message deletes the text of its attachments.
func TestTextsGoWithTheirMessage(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	m := k.receive(withFile("text/csv", "a.csv", "pears"), b.Address)[0]
	k.readTexts(b, m.ID)
	k.svc.Index().Wait()
	seq := b.message(m.ID).Seq
	k.same("kept", b.keptTexts(m.ID), 1)
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), b.change(), m.ID))
	k.view(func(r store.Reader) error {
		texts, err := r.PartTexts(t.Context(), b.Num, seq)
		k.same("kept then", len(texts), 0)
		return err
	})
}

// The budget is the message's: what its attachments unpack to is counted together.
func TestBudgetOfAMessage(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	k.svc.Index().TextBudget(64 << 10)
	bomb := letterDOCX(t, strings.Repeat(" ", 20<<10))
	id := k.receive(withFiles("bombs", "application/octet-stream", "docx", bomb, bomb, bomb, bomb,
		letterDOCX(t, "late")), b.Address)[0].ID
	k.readTexts(b, id)
	k.svc.Index().Wait()
	got := b.message(id).Detail.Texts
	for i, want := range []string{"done", "done", "done", "too_large", "too_large"} {
		if got[i+1].Status != want {
			t.Errorf("attachment %d: %+v, want %s", i, got[i+1], want)
		}
	}
}

// Files that the budget of their message does not reach are too large, not of an unknown kind: those after a megabyte
// of text, and those after the twentieth.
func TestFilesBeyondTheBudget(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	long := strings.Repeat("pears and plums\n", 20<<10)
	for _, tt := range []struct {
		name  string
		files []string
		done  int
	}{
		{"text", []string{long, long, long, long, "late", "later"}, 4},
		{"files", slices.Repeat([]string{"pears"}, 23), 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := k.receive(withFiles(tt.name, "text/csv", "csv", tt.files...), b.Address)[0].ID
			k.readTexts(b, id)
			k.svc.Index().Wait()
			got := b.message(id).Detail.Texts
			for i := range tt.files {
				want := "done"
				if i >= tt.done {
					want = "too_large"
				}
				if got[i+1].Status != want {
					t.Errorf("file %d: %s, want %s", i, got[i+1].Status, want)
				}
			}
		})
	}
}

// Bodies are found while attachments still wait to be read, and the text of attachments when it was.
func TestBodiesBeforeAttachments(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 3 {
		k.receive(withFiles(fmt.Sprintf("mail%d", i), "text/csv", "csv", fmt.Sprintf("pears%d", i)), b.Address)
	}
	x := k.svc.Index().NewIndexer()
	if err := x.Catch(t.Context()); err != nil { // without anybody who reads attachments
		t.Fatal(err)
	}
	k.same("indexed", b.indexed(), 3)
	k.same("bodies", b.find("body"), []string{"mail2", "mail1", "mail0"})
	k.same("attachments", b.find("pears1"), []string(nil))
	k.index()
	k.same("attachments then", b.find("pears1"), []string{"mail1"})
	k.same("both", b.find("pears2 body"), []string{"mail2"})
	k.same("excluded", b.find("body -pears2"), []string{"mail1", "mail0"})
	k.same("documents", b.indexed(), 3)
}

// A mailbox whose part of the index is large has it rebuilt for the text of attachments.
func TestTextsOfALargePart(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	one := k.receive(withFiles("one", "text/csv", "csv", "pears"), b.Address)[0].ID
	two := k.receive(withFiles("two", "text/csv", "csv", "apples"), b.Address)[0].ID
	x := k.svc.Index().NewIndexer()
	x.FoldAbove(1)
	if err := x.Catch(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.readTexts(b, one)
	k.readTexts(b, two)
	k.svc.Index().Wait()
	if err := x.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.same("attachments before", b.find("pears"), []string(nil))
	for more := true; more; {
		var err error
		if more, err = x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	k.same("attachments", b.find("pears"), []string{"one"})
	k.same("documents", b.indexed(), 2)
}

// Mailboxes take turns: one with many messages to read delays another by one of them.
func TestMailboxesTakeTurns(t *testing.T) {
	var order []mailbox.Num
	q := index.NewTextQueue(func(num mailbox.Num) { order = append(order, num) })
	for seq := range int64(8) {
		q.Want(1, seq)
	}
	if q.Want(1, 8) {
		t.Error("a ninth message of one mailbox may wait")
	}
	q.Want(2, 1)
	q.Want(2, 2)
	q.Want(3, 1)
	q.Run()
	want := fmt.Sprint([]mailbox.Num{1, 2, 3, 1, 2, 1, 1, 1, 1, 1, 1})
	if fmt.Sprint(order) != want {
		t.Errorf("read in the order %v, want %v", order, want)
	}
}

// While the disk is short of room a text is shown and not kept.
func TestTextsWaitForRoom(t *testing.T) {
	var least uint64
	k := newService(t, func(o *service.Options) { o.MinFree = func(uint64) uint64 { return least } })
	b := k.permanent("robin")
	id := k.receive(withFile("text/csv", "a.csv", "pears"), b.Address)[0].ID
	least = 1 << 62
	k.same("shown", k.readTexts(b, id).Text, "pears")
	k.svc.Index().Wait()
	k.same("kept", b.keptTexts(id), 0)
	least = 0
	k.Clock.Advance(time.Second)
	k.same("shown then", k.readTexts(b, id).Text, "pears")
	k.svc.Index().Wait()
	k.same("kept then", b.keptTexts(id), 1)
}

// keptTexts counts the texts that are kept of a message: one, or none.
func (b box) keptTexts(id mailbox.ID) (n int) {
	b.k.Helper()
	b.k.view(func(r store.Reader) error {
		m, err := r.Message(b.k.Context(), b.Num, id)
		if err != nil {
			return err
		}
		texts, err := r.PartTexts(b.k.Context(), b.Num, m.Seq)
		n = len(texts)
		return err
	})
	return n
}
