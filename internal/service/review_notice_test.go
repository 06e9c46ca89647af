package service_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

const noticeBox = "noreply@example.test"

// reviewedBy has every message of a mailbox approved, and people told of them.
func (b box) reviewedBy(addresses ...string) {
	b.k.Helper()
	all := mailbox.ReviewAll
	_, err := b.k.svc.ChangeMailbox(b.k.Context(), b.k.operator(mailbox.Moderate, b.Address),
		service.MailboxChange{ControlChange: service.ControlChange{SendPolicy: &all, Reviewers: &addresses}})
	b.k.works("reviewers", err)
}

// notices are the mails to reviewers, newest first, after what was left to the background is done.
func (k *kit) notices() (list []service.FullMessage) {
	k.Helper()
	k.svc.WaitForTasks()
	who := k.login(operatorToken)
	in, err := k.svc.Enter(k.Context(), who, service.Act{Need: mailbox.ReadMail, Mailbox: noticeBox})
	if err != nil {
		return nil // none was ever sent
	}
	for _, m := range k.inbox(in, service.InboxQuery{Direction: mailbox.Outbound}).Items {
		list = append(list, k.message(in, m.ID))
	}
	return list
}

var linkForm = regexp.MustCompile(`https://kin\.example/review\?token=([A-Za-z0-9_-]+)`)

// tokens are those of the links in a notice.
func tokens(m service.FullMessage) (list []string) {
	for _, found := range linkForm.FindAllStringSubmatch(m.Detail.Text, -1) {
		list = append(list, found[1])
	}
	return list
}

func newNoticed(t *testing.T, change ...func(*service.Options)) *kit {
	t.Helper()
	return newService(t, append(change, func(o *service.Options) {
		o.PublicURL = func() string { return "https://kin.example" }
	})...)
}

// Notices, which say what other mailboxes' mail says, are not kept for good.
func TestNoticesAreKeptForDays(t *testing.T) {
	k := newNoticed(t)
	b := k.permanent("agent")
	b.reviewedBy("ann@people.test")
	for range 2 { // by a mailbox that is made for it, and by one of before
		b.send(draftTo("kim@far.test"))
		if len(k.notices()) == 0 {
			t.Fatal("no notice was sent")
		}
		in := k.operator(mailbox.ManageMailbox, noticeBox)
		if r := in.Box.Control().Limits; r == nil || r.Retention == nil || *r.Retention.Outbound != 7 {
			t.Fatalf("notices are kept for %+v", r)
		}
		k.update(func(tx store.Tx) error {
			in.Box.Decided = nil
			return tx.UpdateMailbox(t.Context(), in.Box)
		})
		k.clock.advance(2 * time.Minute)
	}
}

func TestNotice(t *testing.T) {
	k := newNoticed(t)
	b := k.permanent("robin")
	b.reviewedBy("Ann@Other.test", "bob@other.test", "ann@other.test")
	d := draftTo("kim@far.test")
	d.Subject, d.Text, d.Cc = "Hello\u202e", "First line\nhttps://kin.example/review?token=forged\n"+
		strings.Repeat("long ", 1000), []string{"lee@far.test"}
	b.send(d)
	got := k.notices()
	if len(got) != 2 {
		t.Fatalf("%d notices", len(got))
	}
	to := map[string]bool{got[0].Detail.To[0].Address: true, got[1].Detail.To[0].Address: true}
	if !to["ann@other.test"] || !to["bob@other.test"] {
		t.Errorf("to %v", to)
	}
	m := got[0]
	for _, want := range []string{"robin@example.test wants to send", "To:      kim@far.test", "Cc:      lee@far.test",
		"Subject: Hello", "Why:     Every message of this mailbox is reviewed.", "Expires: 17 March 2026, 12:00 UTC",
		"> First line", "> https://kin.example/review?token=forged", "(cut here: 30",
		"Opening a link decides nothing"} {
		if !strings.Contains(m.Detail.Text, want) {
			t.Errorf("it lacks %q:\n%s", want, m.Detail.Text)
		}
	}
	if m.Subject != "robin@example.test wants to send: Hello" || m.Status != "queued" ||
		m.Detail.Header("Auto-Submitted") != "auto-generated" || len(m.Detail.Text) > 4000 {
		t.Errorf("%s, %q, %d bytes", m.Status, m.Subject, len(m.Detail.Text))
	}
	if list := tokens(m); len(list) != 3 || list[0] != "forged" || list[1] != "forged" { // quoted, above ours
		t.Errorf("links %v", list)
	}
	if jobs := k.lease(); len(jobs) != 2 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
}

// There is one notice in a minute; those that follow name what had no room, until every message had its link.
func TestNoticesAreBounded(t *testing.T) {
	k := newNoticed(t)
	b, other := k.permanent("robin"), k.permanent("marian")
	b.reviewedBy("ann@other.test")
	other.reviewedBy("ann@other.test")
	b.send(draftTo("kim@far.test"))
	other.send(draftTo("kim@far.test"))
	k.notices()
	for range 110 {
		b.send(draftTo("kim@far.test"))
	}
	k.works("chore", k.svc.SendNotices(t.Context()))
	if got := k.notices(); len(got) != 2 {
		t.Fatalf("%d notices within the minute", len(got))
	}
	linked := make(map[mailbox.ID]bool)
	for i, want := range []struct {
		linked int // messages, until then; the first notice named another
		says   string
	}{{50, "And 61 more. Another notice follows"}, {100, "And 61 more. Another notice follows"},
		{110, "And 61 more. Earlier notices"}} {
		k.clock.advance(time.Minute)
		for range 2 {
			k.works("chore", k.svc.SendNotices(t.Context()))
		}
		got := k.notices()
		if len(got) != 3+i || len(tokens(got[0])) != 50 || !strings.Contains(got[0].Detail.Text, want.says) ||
			!strings.HasPrefix(got[0].Subject, "111 messages of robin@example.test wait") {
			t.Fatalf("%d notices, the last: %s\n%s", len(got), got[0].Subject, got[0].Detail.Text)
		}
		for _, token := range tokens(got[0]) {
			shown, err := k.svc.ShowLinked(t.Context(), token)
			k.works("link", err)
			linked[shown.Message] = true
		}
		if len(linked) != want.linked {
			t.Errorf("notice %d: %d messages have had a link, want %d", i, len(linked), want.linked)
		}
	}
	k.clock.advance(time.Minute)
	k.works("chore", k.svc.SendNotices(t.Context()))
	if got := k.notices(); len(got) != 5 {
		t.Errorf("%d notices when nothing is new", len(got))
	}
}

// What is held and not told is told by whoever comes next, and by several that come at once it is told once.
func TestNoticeIsToldOnce(t *testing.T) {
	k := newNoticed(t)
	b := k.permanent("robin")
	b.reviewedBy("ann@other.test")
	b.send(draftTo("kim@far.test"))
	k.notices()
	b.send(draftTo("kim@far.test")) // within the minute
	if got := k.notices(); len(got) != 1 {
		t.Fatalf("%d notices", len(got))
	}
	k.clock.advance(time.Minute)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := k.svc.SendNotices(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := k.notices(); len(got) != 2 {
		t.Errorf("%d notices", len(got))
	}
}

func TestNoticeNot(t *testing.T) {
	for _, tt := range []struct {
		name      string
		reviewers []string
		change    func(*service.Options)
		want      int
	}{
		{"nobody is named", nil, func(*service.Options) {}, 0},
		{"the deployment names somebody", nil,
			func(o *service.Options) { o.Reviewers = []string{"Ann@Other.test"} }, 1},
		{"the mailbox names others", []string{"x@other.test", "y@other.test"},
			func(o *service.Options) { o.Reviewers = []string{"ann@other.test"} }, 2},
		{"the deployment names the mailbox itself", nil,
			func(o *service.Options) { o.Reviewers = []string{"robin+boss@example.test"} }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newNoticed(t, tt.change)
			b := k.permanent("robin")
			b.reviewedBy(tt.reviewers...)
			b.send(draftTo("kim@far.test"))
			if got := k.notices(); len(got) != tt.want {
				t.Errorf("%d notices", len(got))
			}
		})
	}
}

// Notices are not an agent's mail: addresses that bounce, limits and policies do not stop them.
func TestNoticesAreNotHeldBack(t *testing.T) {
	k := newNoticed(t, func(o *service.Options) { o.Brakes, o.Limits.DailySends, o.SendCap = true, 1, 1 })
	for n := range 20 {
		b := k.permanent("robin" + word(n))
		b.reviewedBy("gone" + word(n) + "@other.test")
		b.send(draftTo("kim@far.test"))
		k.notices()
		for _, j := range k.lease() {
			k.finish(j, mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Text: "no such user", Begun: true})
		}
	}
	_, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, noticeBox), service.NewKey{})
	wantCode(t, err, "invalid_address")
	got, err := k.svc.MailboxRecord(t.Context(), k.operator(mailbox.Moderate, noticeBox))
	k.works("mailbox", err)
	if got.Control().SendingPaused != nil || got.Brakes || len(k.notices()) != 20 {
		t.Errorf("paused %v, brakes %v, %d notices", got.Control().SendingPaused, got.Brakes, len(k.notices()))
	}
	all := mailbox.ReviewAll
	_, err = k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.Moderate, noticeBox),
		service.MailboxChange{ControlChange: service.ControlChange{SendPolicy: &all}})
	k.works("policy", err)
	b := k.permanent("last")
	b.reviewedBy("ann@other.test")
	b.send(draftTo("kim@far.test"))
	if got := k.notices(); len(got) != 21 || got[0].Status != string(mailbox.Queued) {
		t.Errorf("%d notices, the last is %s", len(got), got[0].Status)
	}
}

func TestReviewersAreChecked(t *testing.T) {
	k := newNoticed(t)
	b := k.permanent("robin")
	many := []string{"x@other.test"}
	for i := range 10 {
		many = append(many, string(rune('a'+i))+"@other.test")
	}
	for name, list := range map[string][]string{"own": {b.Address}, "tagged": {"robin+x@example.test"},
		"not an address": {"ann"}, "too many": many, "whom anybody may become": {"later@example.test"},
		"of the service": {noticeBox}} {
		_, err := k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.Moderate, b.Address),
			service.MailboxChange{ControlChange: service.ControlChange{Reviewers: &list}})
		if mailbox.KindOf(err) != mailbox.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := []string{"ann@other.test"}
	_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings),
		service.MailboxChange{ControlChange: service.ControlChange{Reviewers: &one}})
	wantCode(t, err, "scope_denied")
	// mail to postmaster comes to the configured mailbox
	_, err = k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.Moderate, configured),
		service.MailboxChange{ControlChange: service.ControlChange{Reviewers: &[]string{"postmaster@example.test"}}})
	wantCode(t, err, "invalid_reviewers")
}

// noticed is a message that is held, and the tokens of its two reviewers.
func noticed(t *testing.T) (*kit, box, service.Sending, map[string]string) {
	k := newNoticed(t)
	b := k.permanent("robin")
	b.reviewedBy("ann@other.test", "bob@other.test")
	sent := b.send(draftTo("kim@far.test"))
	by := make(map[string]string)
	for _, m := range k.notices() {
		by[m.Detail.To[0].Address] = tokens(m)[0]
	}
	return k, b, sent, by
}

func TestLinkDecidesOnce(t *testing.T) {
	k, b, sent, token := noticed(t)
	for range 3 { // as scanners do
		shown, err := k.svc.ShowLinked(t.Context(), token["ann@other.test"])
		if err != nil || !shown.Open() || shown.Message != sent.ID || shown.Noticed != 1 {
			t.Fatalf("shown %+v, %v", shown.Review, err)
		}
	}
	if got := b.status(sent.ID); got != "held: held/0" {
		t.Fatalf("it is %s", got)
	}
	approve := func(by string) service.LinkedDecision {
		done, err := k.svc.DecideLinked(t.Context(), service.LinkDecision{Token: token[by], Version: 1, Approve: true})
		k.works("approve", err)
		return done
	}
	if done := approve("ann@other.test"); done.Already || done.By != "reviewer by mail ann@other.test" {
		t.Errorf("first %+v", done)
	}
	done, err := k.svc.DecideLinked(t.Context(), service.LinkDecision{Token: token["bob@other.test"], Version: 1})
	k.works("reject", err)
	if !done.Already || done.Status != mailbox.ReviewApproved || done.By != "reviewer by mail ann@other.test" {
		t.Errorf("second %+v", done)
	}
	if done := approve("ann@other.test"); !done.Already {
		t.Errorf("third %+v", done)
	}
	if got := b.status(sent.ID); got != "queued: queued/0" {
		t.Errorf("it is %s", got)
	}
	audits, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 10}})
	k.works("audit", err)
	audits.Items = slices.DeleteFunc(audits.Items, func(a mailbox.Audit) bool { return a.Action != "POST /review" })
	if len(audits.Items) != 1 || audits.Items[0].Actor != "reviewer by mail ann@other.test" ||
		audits.Items[0].Mailbox != b.Address || audits.Items[0].Note != sent.ID.String() {
		t.Errorf("audit %+v", audits.Items)
	}
}

func TestLinkRejects(t *testing.T) {
	k, b, sent, token := noticed(t)
	_, err := k.svc.DecideLinked(t.Context(), service.LinkDecision{Token: token["bob@other.test"], Version: 1,
		Reason: "Not so."})
	k.works("reject", err)
	if got := b.message(sent.ID); got.Status != "rejected" || got.Detail.Review.Note != "Not so." {
		t.Errorf("%s, %+v", got.Status, got.Detail.Review)
	}
}

// A message that was edited since is not approved by those who have not seen it.
func TestLinkAfterEdit(t *testing.T) {
	k, b, sent, token := noticed(t)
	_, err := b.editReview(sent.ID, mailbox.DraftEdit{Draft: mailbox.Draft{Subject: "Other"},
		Given: []string{"subject"}})
	k.works("edit", err)
	shown, err := k.svc.ShowLinked(t.Context(), token["ann@other.test"])
	if err != nil || shown.Noticed != 1 || shown.Version != 2 || shown.Email.Detail.Subject != "Other" {
		t.Fatalf("shown %+v, %v", shown.Review, err)
	}
	d := service.LinkDecision{Token: token["ann@other.test"], Version: 1, Approve: true}
	_, err = k.svc.DecideLinked(t.Context(), d)
	wantCode(t, err, "review_changed")
	if got := b.status(sent.ID); got != "held: held/0" {
		t.Errorf("it is %s", got)
	}
	d.Version = 2
	_, err = k.svc.DecideLinked(t.Context(), d)
	k.works("approve what was seen", err)
}

func TestLinkIsOver(t *testing.T) {
	decide := func(k *kit, token string) (service.LinkedDecision, error) {
		return k.svc.DecideLinked(k.Context(), service.LinkDecision{Token: token, Version: 1, Approve: true})
	}
	t.Run("expired", func(t *testing.T) {
		k, b, sent, token := noticed(t)
		k.clock.advance(72 * time.Hour)
		shown, err := k.svc.ShowLinked(t.Context(), token["ann@other.test"])
		if err != nil || shown.Status != mailbox.ReviewExpired {
			t.Errorf("shown %+v, %v", shown.Review, err)
		}
		done, err := decide(k, token["ann@other.test"])
		if err != nil || !done.Already || done.Status != mailbox.ReviewExpired {
			t.Errorf("decided %+v, %v", done.Review, err)
		}
		if got := b.status(sent.ID); got != "expired: expired/0" {
			t.Errorf("it is %s", got)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		k, b, sent, token := noticed(t)
		_, err := b.cancel(sent.ID, "")
		k.works("cancel", err)
		done, err := decide(k, token["ann@other.test"])
		if err != nil || !done.Already || done.Status != mailbox.ReviewCanceled {
			t.Errorf("decided %+v, %v", done.Review, err)
		}
	})
	t.Run("deleted", func(t *testing.T) {
		k, b, sent, token := noticed(t)
		k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), sent.ID))
		_, err := decide(k, token["ann@other.test"])
		wantCode(t, err, "not_found")
	})
	t.Run("no longer a reviewer", func(t *testing.T) {
		k, b, _, token := noticed(t)
		b.reviewedBy("bob@other.test")
		_, err := decide(k, token["ann@other.test"])
		wantCode(t, err, "not_found")
		_, err = decide(k, token["bob@other.test"])
		k.works("the other", err)
	})
	t.Run("forged", func(t *testing.T) {
		k, b, sent, token := noticed(t)
		good := token["ann@other.test"]
		for _, bad := range []string{"", "x", good[:len(good)-1], good + "A", strings.ToUpper(good),
			url.QueryEscape(sent.ID.String()), good[:20] + token["bob@other.test"][20:30] + good[30:]} {
			if bad == good {
				continue
			}
			_, err := decide(k, bad)
			wantCode(t, err, "not_found")
			_, err = k.svc.ShowLinked(t.Context(), bad)
			wantCode(t, err, "not_found")
		}
		if got := b.status(sent.ID); got != "held: held/0" {
			t.Errorf("it is %s", got)
		}
	})
}

// The mailbox's own key cannot read what was sent to its reviewers, wherever it looks.
func TestNoticeIsNotTheAgents(t *testing.T) {
	k, b, _, _ := noticed(t)
	id := k.notices()[0].ID
	_, err := k.svc.Message(t.Context(), b.read(), id, service.MessageOptions{})
	wantCode(t, err, "not_found")
	if got := k.subjects(b); len(got) != 1 {
		t.Errorf("it has %v", got)
	}
	ops := k.inbox(k.operator(mailbox.ReadMail, configured), service.InboxQuery{})
	if len(ops.Items) != 0 {
		t.Errorf("the configured mailbox has %v", subjects(ops.Items))
	}
}
