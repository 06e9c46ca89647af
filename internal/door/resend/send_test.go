package resend_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
)

// slowStore tells when a transaction begins, and has it wait.
type slowStore struct {
	store.Store
	mu    sync.Mutex
	begun chan struct{} // nil: it does not wait
	ended chan struct{}
}

func (s *slowStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	s.mu.Lock()
	begun, wait := s.begun, s.ended
	s.begun = nil
	s.mu.Unlock()
	if begun != nil {
		close(begun)
		<-wait
	}
	return s.Store.Update(ctx, fn)
}

// A second request with the key of one that is under way is told so; afterwards it gets the same answer, and another
// body none.
func TestSameKeyAtOnce(t *testing.T) {
	slow := &slowStore{ended: make(chan struct{})}
	k := newKit(t, func(o *service.Options) { slow.Store, o.Store = o.Store, slow })
	k.head = map[string]string{"Idempotency-Key": "one"}
	begun, first := make(chan struct{}), make(chan object, 1)
	slow.mu.Lock()
	slow.begun = begun
	slow.mu.Unlock()
	go func() {
		_, out := k.ask(k.own.Key, "POST", "/emails", k.mail(""))
		first <- out
	}()
	<-begun
	k.fails("POST", "/emails", k.mail(""), 409, "concurrent_idempotent_requests")
	close(slow.ended)
	id := (<-first)["id"]
	k.same("the same again", k.gives("POST", "/emails", k.mail(""))["id"], id)
	k.fails("POST", "/emails", k.mail(`,"cc":"x@far.test"`), 409, "invalid_idempotent_request")
}

// A mailbox sends from every address of a domain that it has verified, but for those that another mailbox has.
func TestFrom(t *testing.T) {
	k := newKit(t)
	servicetest.Insert(t, k.base, mailbox.Mailbox{Address: "other@mine.test", Scope: mailbox.Permanent})
	err := k.base.DB.Update(t.Context(), func(tx store.Tx) error {
		for name, verified := range map[string]bool{"mine.test": true, "later.test": false} {
			d := mailbox.Domain{ID: mailbox.NewID(k.base.Clock.Now()), Mailbox: k.own.Num, Name: name,
				CreatedAt: k.base.Clock.Now(), Owned: verified, MX: verified, SPF: verified, DKIM: verified}
			if verified {
				d.VerifiedAt = k.base.Clock.Now()
			}
			if err := tx.InsertDomain(t.Context(), d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	svc, err := service.Open(t.Context(), k.base.Options) // which reads the domains
	if err != nil {
		t.Fatal(err)
	}
	k.use(svc)
	from := func(address string) string { return strings.Replace(k.mail(""), k.own.Address, address, 1) }
	k.gives("POST", "/emails", from("any@mine.test"))
	k.gives("POST", "/emails", from("Any One <Any@Mine.test>"))
	for _, address := range []string{"other@mine.test", "x@later.test", "x@not.test", "x@sub.mine.test",
		"other@example.test"} {
		k.fails("POST", "/emails", from(address), 403, "validation_error")
	}
}

// Bodies are whole, and pictures are in the HTML unless their names are asked for.
func TestBodies(t *testing.T) {
	k := newKit(t)
	long := strings.Repeat("a long line of text\r\n", 100_000)
	servicetest.Receive(t, k.svc, "From: a@far.test\r\nSubject: long\r\n\r\n"+long, k.own.Address)
	servicetest.Receive(t, k.svc, "From: a@far.test\r\nSubject: picture\r\n"+
		"Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n"+
		"<img src=\"cid:pic\"><img src=\"cid:pic2\">\r\n--b\r\n"+
		"Content-Type: image/png\r\nContent-ID: <pic>\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n--b--\r\n",
		k.own.Address)
	ids := rows(k.gives("GET", "/emails/receiving", ""), "id")
	for query, want := range map[string]string{"": "data:image/png;base64,aGk=", "?html_format=cid": "cid:pic",
		"?html_format=data_uri": "data:image/png;base64,aGk="} {
		html := k.gives("GET", "/emails/receiving/"+ids[0]+query, "")["html"].(string)
		if !strings.Contains(html, `"`+want+`"`) || !strings.Contains(html, `"cid:pic2"`) {
			t.Errorf("%q: %s", query, html)
		}
	}
	k.fails("GET", "/emails/receiving/"+ids[0]+"?html_format=x", "", 422, "validation_error")
	if n := len(k.gives("GET", "/emails/receiving/"+ids[1], "")["text"].(string)); n < 1_900_000 {
		t.Errorf("%d bytes of text that came", n)
	}
}

// Options of domains are taken where they are as they are here, and refused elsewhere.
func TestDomainOptions(t *testing.T) {
	k := newKit(t)
	made := k.gives("POST", "/domains", `{"name":"mine.test","region":"eu-west-1","tls":"opportunistic",
		"open_tracking":false,"capabilities":{"sending":"enabled"}}`)["id"].(string)
	for options, name := range map[string]string{`"open_tracking":true`: "", `"click_tracking":true`: "",
		`"tls":"enforced"`: "", `"tracking_subdomain":"x"`: "", `"custom_return_path":"x"`: "",
		`"capabilities":{"receiving":"disabled"}`: "", `"region":"moon"`: "invalid_region"} {
		if name == "" {
			name = "validation_error"
		}
		k.fails("POST", "/domains", `{"name":"two.test",`+options+`}`, 422, name)
		k.fails("PATCH", "/domains/"+made, `{`+options+`}`, 422, name)
	}
	k.gives("PATCH", "/domains/"+made, `{"open_tracking":false,"click_tracking":null}`)
}

// outside is what lies on other servers, by its address.
type outside map[string]string

func (o outside) Attempt(context.Context, service.HookJob) mailbox.HookAttempt {
	return mailbox.HookAttempt{}
}

func (o outside) Headers(service.HookJob, time.Time) map[string]string { return nil }

func (o outside) Fetch(_ context.Context, url string, _ int64) (b []byte, mediaType, problem string) {
	if text, ok := o[url]; ok {
		return []byte(text), "text/csv", ""
	}
	return nil, "", "It is not there."
}

// A request that is repeated has its first answer, also when the files that it names are gone.
func TestRepeatedWithoutItsFiles(t *testing.T) {
	files := outside{"https://files.test/a.csv": "x"}
	k := newKit(t, func(o *service.Options) { o.Poster = files })
	k.head = map[string]string{"Idempotency-Key": "one"}
	mail := k.mail(`,"attachments":[{"path":"https://files.test/a.csv"}]`)
	first := k.gives("POST", "/emails", mail)
	clear(files)
	k.same("again", k.gives("POST", "/emails", mail), first)
	k.head = nil
	k.fails("POST", "/emails", mail, 422, "invalid_attachment")
}

// What was given is shown as it was given.
func TestBodiesAsGiven(t *testing.T) {
	k := newKit(t)
	id := k.gives("POST", "/emails", k.mail(`,"html":"<b>x</b>"`))["id"].(string)
	got := k.gives("GET", "/emails/"+id, "")
	k.same("html", got["html"], "<b>x</b>")
	k.same("text", got["text"], "t")
}

func TestScheduledWithinAMonth(t *testing.T) {
	k := newKit(t, func(o *service.Options) { o.Now = time.Now })
	k.gives("POST", "/emails", k.mail(`,"scheduled_at":"in 30 days"`))
	k.fails("POST", "/emails", k.mail(`,"scheduled_at":"in 31 days"`), 400, "validation_error")
}
