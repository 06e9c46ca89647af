package service_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
)

func TestRejects(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.RejectsKept = 5 })
	own := k.insert(mailbox.Mailbox{Address: "own@example.test", Aliases: []string{"alias@example.test"},
		Scope: mailbox.Permanent})
	rejects := func(in service.Access, limit int) (out []string) {
		t.Helper()
		page := service.Page{Limit: limit}
		for {
			list, err := k.svc.Rejects(t.Context(), in, service.RejectsQuery{Page: page})
			k.works("Rejects", err)
			for _, r := range list.Items {
				out = append(out, r.Recipient)
			}
			if page.Cursor = list.Next; list.Next == "" {
				return out
			}
		}
	}
	all := k.operator(mailbox.ReadMail, "")
	k.same("none", rejects(all, 10), []string{})
	for _, to := range []string{"Own+Tag@Example.Test", "nobody@example.test", "alias@example.test",
		`"own@example.test alias"@example.test`} {
		k.svc.Rejected(mailbox.Reject{Stage: "rcpt", Recipient: to, Reply: "450"})
	}
	k.same("all", rejects(all, 2), []string{`"own@example.test alias"@example.test`, "alias@example.test",
		"nobody@example.test", "Own+Tag@Example.Test"})
	k.same("own", rejects(own.read(), 1), []string{"alias@example.test", "Own+Tag@Example.Test"})
	k.same("named by the operator", rejects(k.operator(mailbox.ReadMail, "own@example.test"), 10),
		[]string{"alias@example.test", "Own+Tag@Example.Test"})
	for i := range 12 {
		k.svc.Rejected(mailbox.Reject{Recipient: fmt.Sprintf("n%d@example.test", i)})
	}
	k.same("the ring", rejects(all, 100), []string{"n11@example.test", "n10@example.test", "n9@example.test",
		"n8@example.test", "n7@example.test"})
	list, err := k.svc.Rejects(t.Context(), all, service.RejectsQuery{Page: service.Page{Limit: 1}})
	k.works("Rejects", err)
	k.same("time", list.Items[0].At, noon)
	_, err = k.svc.Rejects(t.Context(), all,
		service.RejectsQuery{Page: service.Page{Limit: 1, Cursor: service.EncodeCursor('a', 3)}})
	k.kind("another list's cursor", err, mailbox.Invalid, "invalid_cursor")
}

// What the operator changes is noted once, with what it was; keys are named by their ids.
func TestAuditSaysWhat(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	enter := func(verb string, need mailbox.Capability) service.Access {
		return servicetest.Enter(t, k.svc, operatorToken, service.Act{Need: need, Verb: verb, Mailbox: own.Address})
	}
	notes := func() (list []string) {
		found, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
			service.AuditsQuery{Page: service.Page{Limit: 100}})
		k.works("Audits", err)
		for _, a := range found.Items {
			list = append(list, a.Action+": "+a.Note)
		}
		return list
	}
	before := len(notes())
	url := ""
	_, err := k.svc.ChangeMailbox(t.Context(), enter("PATCH /v1/mailboxes/{address}", mailbox.Moderate),
		service.MailboxChange{WebhookURL: &url, ControlChange: service.ControlChange{Limits: &service.LimitsChange{
			RetentionDays: &service.RetentionChange{Inbound: chosen(7.0), AllLabels: true}}}})
	k.works("ChangeMailbox", err)
	_, err = k.svc.ChangeMailbox(t.Context(), enter("PATCH /v1/mailbox", mailbox.ChangeSettings),
		service.MailboxChange{WebhookURL: &url})
	k.works("ChangeMailbox", err)
	made, err := k.svc.CreateKey(t.Context(), enter("POST /v1/mailboxes/{address}/keys", mailbox.Moderate),
		service.NewKey{Capabilities: []string{"read", "draft"}})
	k.works("CreateKey", err)
	old := k.login(own.Key).Key.ID
	rotated, err := k.svc.RotateKey(t.Context(), own.in(mailbox.RotateKey))
	k.works("RotateKey", err)
	list := notes()
	k.same("notes", list[:len(list)-before], []string{
		mailbox.RotateKey.String() + ": " + old.String() + " is now " + rotated.Key.ID.String(),
		"POST /v1/mailboxes/{address}/keys: " + made.Key.ID.String() + " read draft", "PATCH /v1/mailbox: webhook_url",
		"PATCH /v1/mailboxes/{address}: webhook_url, limits.retention_days.labels default, " +
			"limits.retention_days.inbound 7"})
}

// forgetsAudits is a store whose note of where the chain of audits ends was taken away or set back.
type forgetsAudits struct {
	store.Store
	ends func(store.AuditEnds) store.AuditEnds
}

func (s *forgetsAudits) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error { return fn(forgetfulReader{r, s.ends}) })
}

type forgetfulReader struct {
	store.Reader
	ends func(store.AuditEnds) store.AuditEnds
}

func (r forgetfulReader) AuditEnds(ctx context.Context) (store.AuditEnds, error) {
	ends, err := r.Reader.AuditEnds(ctx)
	return r.ends(ends), err
}

// Entries that the end of the chain does not cover are noticed; what is noted while it is verified is none of these.
func TestVerifyLooksBeyondTheEnd(t *testing.T) {
	wrapped := &forgetsAudits{}
	k := newService(t, func(o *service.Options) {
		wrapped.Store = o.Store
		o.Store = wrapped
	})
	var links []mailbox.AuditLink
	wrapped.ends = func(e store.AuditEnds) store.AuditEnds { links = append(links, e.Head); return e }
	verify := func() service.AuditReport {
		r, err := k.svc.VerifyAudits(t.Context(), k.operator(mailbox.Moderate, ""))
		k.works("VerifyAudits", err)
		return r
	}
	for _, name := range []string{"one", "two", "three"} {
		k.operator(mailbox.ReadMail, k.permanent(name).Address)
		if r := verify(); r.Broken != nil {
			t.Fatalf("nothing was changed: %+v", r.Broken)
		}
	}
	first := links[0]
	asked := 0
	for name, row := range map[string]struct {
		ends   func(store.AuditEnds) store.AuditEnds
		broken bool
	}{
		"gone":     {func(store.AuditEnds) store.AuditEnds { return store.AuditEnds{} }, true},
		"set back": {func(e store.AuditEnds) store.AuditEnds { e.Head = first; return e }, true},
		"meanwhile": {func(e store.AuditEnds) store.AuditEnds {
			if asked++; asked == 1 {
				e.Head = first
			}
			return e
		}, false},
	} {
		wrapped.ends = row.ends
		if r := verify(); (r.Broken != nil) != row.broken {
			t.Errorf("%s: %+v", name, r.Broken)
		}
	}
}

// What could not be written is kept for the next time: a full disk or a caller who hangs up loses no audit entry.
func TestLedgerKeepsWhatFailed(t *testing.T) {
	k, wrapped := newServiceOver(t)
	own := k.permanent("own")
	moderate := k.operator(mailbox.Moderate, "")
	before, err := k.svc.Audits(t.Context(), moderate, service.AuditsQuery{Page: service.Page{Limit: 100}})
	k.works("Audits", err)

	k.login(own.Key)
	k.operator(mailbox.ReadMail, own.Address)
	k.svc.Rejected(mailbox.Reject{Recipient: own.Address})
	wrapped.before = func() error { return store.ErrStorage }
	full, err := k.svc.Audits(t.Context(), moderate, service.AuditsQuery{Page: service.Page{Limit: 100}})
	k.works("Audits on a full disk", err)
	k.same("what was written before", len(full.Items), len(before.Items))
	wrapped.before = nil
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.svc.Audits(gone, moderate, service.AuditsQuery{Page: service.Page{Limit: 100}}); err == nil {
		t.Error("Audits for a caller who hung up: no error")
	}
	k.operator(mailbox.ReadMail, own.Address)

	after, err := k.svc.Audits(t.Context(), moderate, service.AuditsQuery{Page: service.Page{Limit: 100}})
	k.works("Audits", err)
	k.same("new audit entries", len(after.Items)-len(before.Items), 2)
	rejects, err := k.svc.Rejects(t.Context(), moderate, service.RejectsQuery{Page: service.Page{Limit: 100}})
	k.works("Rejects", err)
	k.same("rejects", len(rejects.Items), 1)
	keys, err := k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	k.works("Keys", err)
	k.same("last use", keys[0].LastUsedAt, noon)
}

// Run writes out every second, and once more at the end.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		notes := &noteStore{}
		svc, err := service.Open(t.Context(), service.Options{Store: notes, Configured: configured, RejectsKept: 10,
			Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- svc.Run(ctx) }()
		svc.Rejected(mailbox.Reject{Recipient: "a@example.test"})
		want := func(when string, n int) {
			t.Helper()
			synctest.Wait()
			if got, _ := notes.count(); got != n {
				t.Errorf("%s: %d entries are written, want %d", when, got, n)
			}
		}
		want("at once", 0)
		time.Sleep(time.Second)
		want("after a second", 1)
		time.Sleep(10 * time.Second)
		if _, updates := notes.count(); updates != 2 { // the mailbox, and this
			t.Errorf("%d updates: nothing to write and yet written", updates)
		}
		svc.Rejected(mailbox.Reject{Recipient: "b@example.test"})
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
		want("at the end", 2)
	})
}

// noteStore counts refused mail and updates.
type noteStore struct {
	store.Store
	mu               sync.Mutex
	rejects, updates int
}

func (n *noteStore) count() (rejects, updates int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rejects, n.updates
}

func (n *noteStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.updates++
	return fn(noteTx{nil, n})
}

func (n *noteStore) View(_ context.Context, fn func(store.Reader) error) error {
	return fn(noteTx{nil, n})
}

func (noteTx) ListEntries(context.Context, mailbox.Num, mailbox.List, store.ListFilter) ([]mailbox.Listed, error) {
	return nil, nil
}

func (noteTx) Secrets(context.Context) ([]mailbox.KnownSecret, error) { return nil, nil }

func (noteTx) Domains(context.Context, mailbox.Num) ([]mailbox.Domain, error) { return nil, nil }

func (noteTx) Controlled(context.Context, mailbox.Num, int) ([]mailbox.Mailbox, error) {
	return nil, nil
}

func (noteTx) Tally(context.Context, mailbox.Num, string, int64) (int64, error) { return 1, nil }

func (noteTx) MailboxDomains(context.Context) ([]store.DomainCount, error) { return nil, nil }

type noteTx struct {
	store.Tx
	n *noteStore
}

func (noteTx) MailboxAt(context.Context, string) (mailbox.Mailbox, error) {
	return mailbox.Mailbox{}, nil
}

func (tx noteTx) AppendRejects(_ context.Context, rs []mailbox.Reject, _ int) error {
	tx.n.rejects += len(rs)
	return nil
}

func TestAuditPages(t *testing.T) {
	k := newService(t)
	for i := range 5 {
		k.permanent(fmt.Sprintf("box%d", i))
	}
	in := k.operator(mailbox.Moderate, "")
	var got []string
	for page := (service.Page{Limit: 2}); ; {
		list, err := k.svc.Audits(t.Context(), in, service.AuditsQuery{Page: page})
		k.works("Audits", err)
		for _, a := range list.Items {
			got = append(got, a.Action+" "+a.Mailbox)
		}
		if page.Cursor = list.Next; list.Next == "" {
			break
		}
	}
	var want []string
	for i := 4; i >= 0; i-- {
		want = append(want, fmt.Sprintf("moderate mailboxes box%d@example.test", i))
	}
	k.same("audits", got, want)
}

// Blobs that no message names are swept up after an hour, and never one that a message names.
func TestRecoverSweeps(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(mixed("one", noise(400<<10)), own.Address)[0].ID
	orphan := func(key string) {
		d, err := k.opt.Blobs.Create(t.Context())
		k.works("Create", err)
		_, err = d.Write(noise(1000))
		k.works("Write", err)
		k.works("Commit", d.Commit(t.Context(), key))
	}
	orphan(fmt.Sprintf("%d/orphan", own.Num)) // a crash between blob and row
	old := time.Now().Add(-2 * time.Hour)
	for _, f := range k.files() {
		k.works("Chtimes", os.Chtimes(f, old, old))
	}
	orphan(fmt.Sprintf("%d/fresh", own.Num)) // its row may still come
	k.works("SweepBlobs", k.svc.SweepBlobs(t.Context()))
	k.same("files", len(k.files()), 2)
	r, err := k.svc.Raw(t.Context(), own.in(mailbox.ReadAttachment), id)
	k.works("Raw", err)
	k.works("Close", r.Close())
}

// Reads are noted within a second and changes before they are made; their order is kept all the same.
func TestAuditOrder(t *testing.T) {
	k := newService(t)
	k.permanent("own")
	verbs := func() (list []string) {
		k.view(func(r store.Reader) error {
			entries, err := r.Audits(t.Context(), store.LogFilter{Limit: 100})
			for _, e := range entries {
				list = append(list, e.Value.Action)
			}
			return err
		})
		return list
	}
	enter := func(verb string, need mailbox.Capability) {
		_, err := k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: need, Verb: verb,
			Mailbox: "own@example.test"})
		k.works(verb, err)
	}
	enter("GET /v1/inbox", mailbox.ReadMail)
	k.same("after a read", verbs(), []string{"moderate mailboxes"})
	enter("PATCH /v1/mailbox/pause", mailbox.PauseMailbox)
	k.same("after a change", verbs(), []string{"PATCH /v1/mailbox/pause", "GET /v1/inbox", "moderate mailboxes"})
}

// Logs are searched as a whole, however long they are, and by what people see of an entry.
func TestLogsNarrowed(t *testing.T) {
	const all = 1200
	k := newService(t, func(o *service.Options) { o.RejectsKept = 5000 })
	own := k.permanent("own")
	for i := range all {
		k.svc.Rejected(mailbox.Reject{Stage: []string{"rcpt", "data"}[i%2], Sender: fmt.Sprintf("s%d@far.example", i),
			Recipient: own.Address, Reply: "550 5.7.1 refused"})
	}
	everything := k.operator(mailbox.ReadMail, "")
	find := func(q service.RejectsQuery) (found []string) {
		t.Helper()
		for q.Page.Limit = 100; ; {
			list, err := k.svc.Rejects(t.Context(), everything, q)
			k.works("Rejects", err)
			for _, r := range list.Items {
				found = append(found, r.Sender)
			}
			if q.Page.Cursor = list.Next; list.Next == "" {
				return found
			}
		}
	}
	k.same("the oldest", find(service.RejectsQuery{Words: "S0@FAR refused"}), []string{"s0@far.example"})
	k.same("none", find(service.RejectsQuery{Words: "s0@near"}), []string(nil))
	k.same("a stage", len(find(service.RejectsQuery{Stage: "data"})), all/2)
	k.same("a stage and words", len(find(service.RejectsQuery{Stage: "data", Words: "s1@"})), 1)

	moderate := k.operator(mailbox.Moderate, own.Address)
	_, err := k.svc.PauseMailbox(t.Context(), k.operator(mailbox.PauseMailbox, own.Address), "too loud")
	k.works("PauseMailbox", err)
	for _, q := range []service.AuditsQuery{{Changes: true}, {Words: "loud"}} {
		q.Page.Limit = 10
		list, err := k.svc.Audits(t.Context(), moderate, q)
		k.works("Audits", err)
		for _, a := range list.Items {
			if a.Reads() || q.Words != "" && a.Note != "too loud" {
				t.Errorf("%+v lists %+v", q, a)
			}
		}
	}
}

// Suppressions and the log of webhooks are searched like the other lists.
func TestSuppressionsNarrowed(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	_, err := k.svc.AddSuppressions(t.Context(), own.in(mailbox.ManageMailbox), service.NewSuppressions{
		Addresses: []string{"kim@far.example", "sam@far.example", "ann@near.example"}, Reason: "They asked."})
	k.works("AddSuppressions", err)
	var found []string
	for q := (service.SuppressionsQuery{Words: "FAR asked", Page: service.Page{Limit: 1}}); ; {
		list, err := k.svc.Suppressions(t.Context(), own.in(mailbox.ReadManaged), q)
		k.works("Suppressions", err)
		for _, s := range list.Items {
			found = append(found, s.Address)
		}
		if q.Page.Cursor = list.Next; list.Next == "" {
			break
		}
	}
	k.same("those that fit", found, []string{"sam@far.example", "kim@far.example"})
}
