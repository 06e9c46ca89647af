package service_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// capturing is a test server.
func capturing(o *service.Options) { o.CatchAll = &service.CatchAll{} }

// view lists what the door without keys shows.
func (k *kit) captured() []mailbox.Message {
	k.Helper()
	in, err := k.svc.Captured(k.Context())
	k.works("Captured", err)
	return k.inbox(in, service.InboxQuery{}).Items
}

func TestCapture(t *testing.T) {
	k := newService(t, capturing)
	env := k.envelope("Ann@One.test", "bo+tag@two.test", "hidden@three.test")
	env.From, env.Captured = "from@anywhere.test", &mailbox.Capture{User: "robin"}
	receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("hello")))
	k.works("Receive", err)
	if len(receipts) != 3 {
		t.Fatalf("%d receipts", len(receipts))
	}
	for i, address := range []string{"ann@one.test", "bo+tag@two.test", "hidden@three.test"} {
		list := k.inbox(k.operator(mailbox.ReadMail, address), service.InboxQuery{}).Items
		if len(list) != 1 || list[0].ID != receipts[i].ID || receipts[i].Mailbox != address {
			t.Errorf("%s has %+v, the receipt is %+v", address, list, receipts[i])
		}
	}
	all := k.captured()
	k.same("view", subjects(all), []string{"hello"})
	in, _ := k.svc.Captured(t.Context())
	how := k.message(in, all[0].ID).Detail.Envelope
	if how.From != "from@anywhere.test" || how.Captured == nil || how.Captured.User != "robin" {
		t.Errorf("how it came: %+v", how)
	}
	k.same("recipients", how.Captured.Recipients, []string{"Ann@One.test", "bo+tag@two.test", "hidden@three.test"})
}

// A captured message is counted once, however many mailboxes have a copy.
func TestCaptureOverview(t *testing.T) {
	k := newService(t, capturing)
	k.receive(letter("one"), "ann@one.test", "bo@one.test")
	k.receive(letter("two"), "ann@one.test")
	o, err := k.svc.Overview(t.Context(), service.Access{}, service.OverviewQuery{Hours: 1})
	k.works("Overview", err)
	if got := o.Spans[0]; got.Received != 2 || o.Mailboxes != 3 {
		t.Errorf("%d received in %d mailboxes, want 2 in 3", got.Received, o.Mailboxes)
	}
	found, err := k.svc.Screenings(t.Context(), service.Access{}, service.OverviewQuery{Hours: 1})
	k.works("Screenings", err)
	if got := found.Spans[0]; got.Clean != 2 || !found.Whole {
		t.Errorf("screened: %+v", got)
	}
}

// Every delivery is a message of the view; a mailbox has each message once.
func TestCaptureTwice(t *testing.T) {
	k := newService(t, capturing)
	k.receive(letter("same"), "ann@one.test")
	k.receive(letter("same"), "bo@one.test")
	k.receive(letter("same"), "bo@one.test")
	k.same("view", subjects(k.captured()), []string{"same", "same", "same"})
	list := k.inbox(k.operator(mailbox.ReadMail, "bo@one.test"), service.InboxQuery{}).Items
	k.same("mailbox", subjects(list), []string{"same"})
}

func TestCaptureLarge(t *testing.T) {
	k := newService(t, capturing)
	raw := mixed("large", noise(400_000))
	k.receive(raw, "ann@one.test", "bo@two.test")
	k.same("view", len(k.captured()), 1)
	list := k.inbox(k.operator(mailbox.ReadMail, "bo@two.test"), service.InboxQuery{}).Items
	got, err := k.svc.Raw(t.Context(), k.operator(mailbox.ReadAttachment, "bo@two.test"), list[0].ID)
	k.works("Raw", err)
	defer got.Close()
	if readAll(k, got) != raw {
		t.Error("the bytes of a copy are not those that came")
	}
}

// Sessions that bring the first mail of an address at the same time make one mailbox.
func TestCaptureAtOnce(t *testing.T) {
	const sessions = 8
	both := &storeWith{}
	k := newService(t, capturing, func(o *service.Options) { both.Store, o.Store = o.Store, both })
	env := k.envelope("new@one.test")
	looked := meet(sessions)
	var once sync.Once
	seen := make(chan struct{})
	both.before = func() error { // nobody makes it before all have seen that it is not there
		select {
		case <-seen:
			return nil
		default:
		}
		err := looked()
		once.Do(func() { close(seen) })
		return err
	}
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			_, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("n"+string(rune('a'+i)))))
			if err != nil {
				t.Errorf("Receive: %v", err)
			}
		})
	}
	all.Wait()
	list := k.inbox(k.operator(mailbox.ReadMail, "new@one.test"), service.InboxQuery{}).Items
	if len(list) != sessions || len(k.captured()) != sessions {
		t.Errorf("the mailbox has %d, the view %d", len(list), len(k.captured()))
	}
	k.view(func(r store.Reader) error {
		boxes, err := r.Mailboxes(t.Context(), store.MailboxFilter{Limit: 100})
		if len(boxes) != 2 {
			t.Errorf("%d mailboxes", len(boxes))
		}
		return err
	})
}

func TestCaptureReadBeforeMail(t *testing.T) {
	k := newService(t, capturing)
	k.same("inbox", len(k.inbox(k.operator(mailbox.ReadMail, "soon@one.test"), service.InboxQuery{}).Items), 0)
	_, err := k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.Moderate,
		Mailbox: "never@one.test"})
	k.kind("moderating what is not there", err, mailbox.NotFound, "not_found")
	_, err = k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.ReadMail, Mailbox: "nonsense"})
	k.kind("reading what is no address", err, mailbox.NotFound, "not_found")
	plain := newService(t)
	_, err = plain.svc.Enter(t.Context(), plain.login(operatorToken), service.Act{Need: mailbox.ReadMail,
		Mailbox: "soon@one.test"})
	plain.kind("elsewhere", err, mailbox.NotFound, "not_found")
	_, err = plain.svc.Captured(t.Context())
	plain.kind("elsewhere", err, mailbox.NotFound, "not_found")
	plain.kind("elsewhere", plain.svc.SetChaos(mailbox.CalmChaos()), mailbox.NotFound, "not_found")
}

func TestCaptureHandedIn(t *testing.T) {
	k := newService(t, capturing)
	in, err := k.svc.Captured(t.Context())
	k.works("Captured", err)
	id, err := k.svc.Capture(t.Context(), in, service.CapturedMail{From: "a@b.test", To: []string{"x@y.test"},
		User: "robin"}, strings.NewReader(letter("handed")))
	k.works("Capture", err)
	if got := k.message(in, id); got.Subject != "handed" || got.Detail.Envelope.Captured.User != "robin" {
		t.Errorf("%+v", got.Detail.Envelope)
	}
}

// What a folder was made for decides what it is served as.
func TestCaptureFits(t *testing.T) {
	reopen := func(k *kit, change func(*service.Options)) error {
		o := k.opt
		change(&o)
		_, err := service.Open(t.Context(), o)
		return err
	}
	plain := func(o *service.Options) { o.CatchAll = nil }
	allowed := func(o *service.Options) { o.CatchAll, o.AllowMismatch = nil, true }
	refused := func(what string, err error) {
		t.Helper()
		if _, ok := err.(*service.MismatchError); !ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	deployment := newService(t)
	refused("a deployment", reopen(deployment, capturing))
	deployment.works("as it was", reopen(deployment, plain))

	test := newService(t, capturing)
	test.receive(letter("mail"), "ann@one.test")
	test.works("again", reopen(test, capturing))
	refused("captured mail as a deployment", reopen(test, plain))
	test.works("on purpose", reopen(test, allowed))
	refused("captured mail after that", reopen(test, capturing))
	test.works("as a deployment", reopen(test, allowed))
}

func TestChaos(t *testing.T) {
	k := newService(t, capturing)
	stages := []mailbox.ChaosStage{mailbox.ChaosSender, mailbox.ChaosRecipient, mailbox.ChaosAuthentication}
	fails := func() (list []int) {
		for _, stage := range stages {
			code, failed := k.svc.Fault(stage)
			if !failed {
				code = 0
			}
			list = append(list, code)
		}
		return list
	}
	k.same("at first", fails(), []int{0, 0, 0})
	c := mailbox.CalmChaos()
	c.Recipient = mailbox.Fault{Code: 599, Probability: 100}
	k.works("SetChaos", k.svc.SetChaos(c))
	k.same("set", fails(), []int{0, 599, 0})
	for _, wrong := range []mailbox.Fault{{Code: 399}, {Code: 600}, {Code: 450, Probability: 101},
		{Code: 450, Probability: -1}} {
		c := mailbox.CalmChaos()
		c.Sender = wrong
		k.kind("wrong", k.svc.SetChaos(c), mailbox.Invalid, "invalid_sender")
	}
	k.works("SetChaos", k.svc.SetChaos(mailbox.CalmChaos()))
	if slices.ContainsFunc(fails(), func(code int) bool { return code != 0 }) {
		t.Error("it goes on failing")
	}
}
