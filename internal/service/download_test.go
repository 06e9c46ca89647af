package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// A token opens what it was made for, and nothing else, as long as its time, its key and its message last.
func TestDownload(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	raw := mixed("files", []byte("one"), []byte("two"))
	id := k.receive(raw, "own@example.test")[0].ID
	in := own.in(mailbox.ReadAttachment)
	token := func(in service.Access, id mailbox.ID, left time.Duration) string {
		t.Helper()
		text, err := k.svc.DownloadToken(in, own.Num, id, k.clock.Now().Add(left))
		k.works("DownloadToken", err)
		return text
	}
	opens := func(what, token, want string) {
		t.Helper()
		d, err := k.svc.Download(t.Context(), token)
		if want == "" {
			k.kind(what, err, mailbox.NotFound, "not_found")
			return
		}
		k.works(what, err)
		k.same(what, readAll(k, d.Bytes()), want)
		k.works("Close", d.Bytes().Close())
	}
	whole, part := token(in, id, time.Hour), token(in, id.Part(2), time.Hour)
	opens("message", whole, raw)
	opens("attachment", part, "two")
	opens("no such part", token(in, id.Part(3), time.Hour), "")
	opens("over", token(in, id, 0), "")
	opens("nothing", "", "")
	for _, i := range []int{0, 5, 30, 60, len(part) - 1} { // one character is another one
		changed := []byte(part)
		changed[i] = map[bool]byte{true: 'Q', false: 'A'}[changed[i] == 'A']
		opens("changed", string(changed), "")
	}
	foreign, err := k.svc.DownloadToken(other.in(mailbox.ReadAttachment), other.Num, id, k.clock.Now().Add(time.Hour))
	k.works("DownloadToken", err)
	opens("of another mailbox", foreign, "")
	_, err = k.svc.DownloadToken(k.provisional("short").in(mailbox.ReadMail), own.Num, id, k.clock.Now().Add(time.Hour))
	k.kind("a temporary key", err, mailbox.Denied, "provisional_capability_denied")

	admin := k.operator(mailbox.ReadAttachment, "own@example.test")
	operators := token(admin, id, time.Hour)
	pause := k.operator(mailbox.PauseMailbox, "own@example.test")
	_, err = k.svc.PauseMailbox(t.Context(), pause, "")
	k.works("PauseMailbox", err)
	opens("paused", whole, "")
	_, err = k.svc.ResumeMailbox(t.Context(), pause)
	k.works("ResumeMailbox", err)
	opens("resumed", whole, raw)
	k.update(func(tx store.Tx) error { return tx.DeleteKey(t.Context(), in.Caller.Key.ID) })
	opens("revoked", whole, "")
	opens("the operator's", operators, raw)
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), k.operator(mailbox.ChangeMail, "own@example.test"), id))
	opens("deleted", operators, "")
}
