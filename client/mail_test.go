package client_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func TestMe(t *testing.T) {
	k := newKit(t)
	if me := got(k.operator.Me(k.ctx())).same(k); me.Scope != "operator" || me.Mailbox != "ops@"+domain ||
		me.Limits.DailySends == 0 {
		t.Errorf("the operator is %+v", me)
	}
	address, c := k.mailbox("me")
	if me := got(c.Me(k.ctx())).same(k); me.Scope != "mailbox" || me.Mailbox != address || !me.Send {
		t.Errorf("the mailbox is %+v", me)
	}
	if me := got(k.operator.For(address).Me(k.ctx())).same(k); me.Mailbox != address {
		t.Errorf("for the mailbox: %+v", me)
	}
}

// A message's life: it comes, is listed, read, marked, downloaded, deleted.
func TestMessage(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("message")
	id := k.deliver(address, "hello", "The body.")
	inbox := got(c.Inbox(k.ctx(), client.InboxQuery{})).same(k)
	if len(inbox.Emails) != 1 || inbox.Emails[0].ID != id || inbox.Emails[0].Subject != "hello" || inbox.Next != "" {
		t.Fatalf("the inbox is %+v", inbox)
	}
	mail := got(c.Email(k.ctx(), id, client.EmailOptions{MarkSeen: true, Full: true})).same(k)
	if !strings.Contains(mail.BodyText, "The body.") || !mail.Seen ||
		mail.Headers.Get("from") != "Ann <ann@shop.example>" || len(mail.Attachments) != 1 {
		t.Errorf("the message is %+v", mail)
	}
	mail = got(c.UpdateEmail(k.ctx(), id, api.EmailChange{Seen: new(false), AddLabels: []string{"todo"},
		RemoveLabels: []string{"personal"}})).same(k)
	if mail.Seen || !slices.Contains(mail.Labels, "todo") {
		t.Errorf("the changed message is %+v", mail)
	}
	thread := got(c.Thread(k.ctx(), mail.ThreadID, client.Page{})).same(k)
	if len(thread.Emails) != 1 || thread.Emails[0].ID != id {
		t.Errorf("the thread is %+v", thread)
	}
	if list := got(c.Threads(k.ctx(), client.Page{Limit: 5})).same(k); len(list.Threads) != 1 ||
		list.Threads[0].MessageCount != 1 {
		t.Errorf("the threads are %+v", list)
	}
	if n := got(c.Stats(k.ctx())).same(k); n.Inbound != 1 || n.Unseen != 1 {
		t.Errorf("the counts are %+v", n)
	}
	if n := got(c.DailyStats(k.ctx(), 2)).same(k); len(n.Daily) != 2 || !*n.DailyComplete ||
		n.Daily[0].Received+n.Daily[1].Received != 1 {
		t.Errorf("the counts by day are %+v", n)
	}
	if a := got(k.operator.Activity(k.ctx(), 100)).same(k); !slices.ContainsFunc(a.Activity,
		func(h api.Happening) bool { return h.EmailID == id && h.Event == api.MessageReceived }) {
		t.Errorf("what happened: %+v", a)
	}
	k.done(c.DeleteEmail(k.ctx(), id))
	got(c.Email(k.ctx(), id, client.EmailOptions{})).fails(k, client.ErrNotFound)
}

func TestDownload(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("download")
	id := k.deliver(address, "file", "Look.")
	file := got(c.Email(k.ctx(), id, client.EmailOptions{})).ok(k).Attachments[0]
	for _, row := range []struct {
		name           string
		part           client.Range
		want           string
		offset, length int64
	}{
		{"whole", client.Range{}, "0123456789", 0, 10},
		{"from", client.Range{Offset: 7}, "789", 7, 3},
		{"part", client.Range{Offset: 2, Length: 3}, "234", 2, 3},
		{"beginning", client.Range{Length: 2}, "01", 0, 2},
		{"end", client.Range{Offset: -4}, "6789", 6, 4},
		{"more than there is", client.Range{Offset: -40}, "0123456789", 0, 10},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := got(c.Attachment(k.ctx(), file.ID, row.part)).ok(k)
			content := string(got(io.ReadAll(d)).ok(k))
			k.done(d.Close())
			if content != row.want || d.Offset != row.offset || d.Length != row.length || d.Size != 10 {
				t.Errorf("%q with offset %d, length %d, size %d", content, d.Offset, d.Length, d.Size)
			}
			if d.Name != "a.txt" || !strings.HasPrefix(d.Type, "text/plain") || d.ETag != `"`+file.SHA256+`"` {
				t.Errorf("%q, %q, %q", d.Name, d.Type, d.ETag)
			}
		})
	}
	got(c.Attachment(k.ctx(), file.ID, client.Range{Offset: 10})).fails(k, client.ErrInvalid)
	raw := got(c.Raw(k.ctx(), id, client.Range{})).ok(k)
	defer raw.Close()
	if content := string(got(io.ReadAll(raw)).ok(k)); !strings.HasSuffix(content, letter(address, "file", "Look.")) ||
		raw.Name != id+".eml" {
		t.Errorf("%s: %s", raw.Name, content)
	}
}

// Lists are walked to their end, in order and each entry once.
func TestLists(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("lists")
	var want []string
	for _, subject := range []string{"one", "two", "three", "four", "five"} {
		k.deliver(address, subject, "Some words.")
		want = append([]string{subject}, want...)
	}
	page := client.Page{Limit: 2}
	var subjects, threads []string
	for m, err := range c.InboxAll(k.ctx(), client.InboxQuery{Page: page}) {
		k.done(err)
		subjects = append(subjects, m.Subject)
	}
	for m, err := range c.ThreadsAll(k.ctx(), page) {
		k.done(err)
		threads = append(threads, m.Subject)
	}
	if !slices.Equal(subjects, want) || !slices.Equal(threads, want) {
		t.Errorf("subjects %q, threads %q", subjects, threads)
	}
	var few []string
	for m, err := range c.InboxAll(k.ctx(), client.InboxQuery{Page: page, Until: time.Now().Add(time.Hour),
		Direction: "inbound", Seen: new(false)}) {
		k.done(err)
		if few = append(few, m.Subject); len(few) == 3 {
			break
		}
	}
	if !slices.Equal(few, want[:3]) {
		t.Errorf("the first three are %q", few)
	}
	for _, err := range c.InboxAll(k.ctx(), client.InboxQuery{Direction: "sideways"}) {
		k.is(err, client.ErrInvalid)
	}
	if second := got(c.Inbox(k.ctx(), client.InboxQuery{Page: client.Page{Offset: 1, Limit: 1}})).same(
		k); second.Emails[0].Subject != "four" {
		t.Errorf("the second is %+v", second)
	}
}

func TestSearch(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("search")
	for _, subject := range []string{"apples", "pears", "apples again"} {
		k.deliver(address, subject, "About "+subject+".")
	}
	found := got(c.Search(k.ctx(), client.InboxQuery{Query: "apples", Mode: "keyword"})).same(k)
	if len(found.Emails) != 2 || found.SearchMode != "keyword" || len(found.Emails[0].Highlights) == 0 {
		t.Errorf("found %+v", found)
	}
	n := 0
	for m, err := range c.SearchAll(k.ctx(), client.InboxQuery{Query: "apples", Mode: "keyword",
		Page: client.Page{Limit: 1}}) {
		k.done(err)
		if n++; !strings.HasPrefix(m.Subject, "apples") || m.Score <= 0 {
			t.Errorf("found %+v", m)
		}
	}
	if n != 2 {
		t.Errorf("walked over %d", n)
	}
	got(c.Search(k.ctx(), client.InboxQuery{})).fails(k, client.ErrInvalid)
}

func TestExtract(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("extract")
	id := k.deliver(address, "Your verification code", "Your verification code is 482913.")
	for _, kind := range []string{api.ExtractOrder, api.ExtractReceipt, api.ExtractShipping, api.ExtractCalendar,
		api.ExtractCode} {
		x := got(c.Extract(k.ctx(), id, kind)).same(k)
		if len(x.Records) != 1 || x.Records[0].Type != kind || x.EmailID != id {
			t.Errorf("%s: %+v", kind, x)
		}
	}
	for _, kind := range []string{api.ExtractAll, ""} {
		x := got(c.Extract(k.ctx(), id, kind)).same(k)
		if len(x.Records) != 1 || x.Records[0].Code == nil || x.Records[0].Code.Code != "482913" {
			t.Errorf("all: %+v", x)
		}
	}
	none := k.deliver(address, "hello", "Nothing here.")
	if x := got(c.Extract(k.ctx(), none, api.ExtractAll)).same(k); len(x.Records) != 0 {
		t.Errorf("nothing: %+v", x)
	}
	order := `<script type="application/ld+json">{"@context":"http://schema.org","@type":"Order","orderNumber":"A-1","price":"10.50","priceCurrency":"EUR",` +
		`"seller":{"@type":"Organization","name":"Shop"},"acceptedOffer":{"@type":"Offer","itemOffered":{"@type":"Product","name":"Tea"},"price":"10.50","eligibleQuantity":{"@type":"QuantitativeValue","value":"1"}}}</script>`
	raw := "From: shop@shop.example\r\nSubject: Your order\r\nMessage-ID: <order@shop.example>\r\nContent-Type: " +
		"text/html\r\n\r\n" + order + "<p>Thank you.</p>\r\n"
	x := got(c.Extract(k.ctx(), k.ingest(address, raw), api.ExtractOrder)).same(k)
	if o := x.Records[0].Order; o == nil || o.OrderID != "A-1" || o.Currency != "EUR" || o.Total == "" {
		t.Errorf("the order is %+v", o)
	}
	got(c.Extract(k.ctx(), none, "poem")).fails(k, client.ErrInvalid)
}
