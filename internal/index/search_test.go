package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// withIndex gives a service a real index.
func withIndex(t *testing.T) func(*service.Options) { return withIndexIn(t, t.TempDir()) }

// withIndexIn gives a service a real index in a folder.
func withIndexIn(t *testing.T, dir string) func(*service.Options) {
	return func(o *service.Options) {
		x := sqlite.OpenIndex(filepath.Join(dir, "index.db"))
		t.Cleanup(func() {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
		o.Index = x
	}
}

// index runs the indexer until everything is indexed and merged.
func (k *kit) index() {
	k.Helper()
	ctx, cancel := context.WithCancel(k.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.svc.Index().Run(ctx) }()
	for {
		done, err := k.svc.Index().Indexed(k.Context())
		if err != nil {
			k.Fatal(err)
		}
		if done {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		k.Fatal(err)
	}
}

func (b box) find(query string) (subjects []string) {
	b.k.Helper()
	list, err := b.k.svc.Inbox(b.k.Context(), b.read(), service.InboxQuery{Query: query,
		Page: service.Page{Limit: 100}})
	if err != nil {
		b.k.Fatalf("%q: %v", query, err)
	}
	for _, m := range list.Items {
		subjects = append(subjects, m.Subject)
	}
	return subjects
}

func (b box) asks(q service.InboxQuery) service.SearchResult {
	b.k.Helper()
	found, err := b.k.svc.Search(b.k.Context(), b.read(), q)
	if err != nil {
		b.k.Fatal(err)
	}
	return found
}

// finds searches in the order of time and by relevance.
func (b box) finds(when, query string, want []string) {
	b.k.Helper()
	if got := b.find(query); !slices.Equal(got, want) {
		b.k.Errorf("%s: %q found %v, want %v", when, query, got, want)
	}
	found, err := b.k.svc.Search(b.k.Context(), b.read(), service.InboxQuery{Query: query,
		Page: service.Page{Limit: 100}})
	if err != nil || len(found.Items) != len(want) {
		b.k.Errorf("%s: %q by relevance: %d, want %d, %v", when, query, len(found.Items), len(want), err)
	}
}

func plainMail(from, subject, body string) string {
	return fmt.Sprintf("From: %s\r\nTo: robin@example.test\r\nSubject: %s\r\nMIME-Version: 1.0\r\nContent-Type: "+
		"text/plain; charset=utf-8\r\n\r\n%s\r\n", from, subject, body)
}

// What a query asks of a message besides its words holds whether the message is indexed or waits.
func TestSearchBesideWords(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for _, m := range []string{
		plainMail("Ann <ann@shop.test>", "link", "The parcel: https://shop.test/track"),
		plainMail("Ann <ann@shop.test>", "bare", "The parcel is lost."),
		plainMail("Ann <ann@shop.test>", "parted", "The parcel is for 東、京 and 都."),
		plainMail("Ann <ann@shop.test>", "joined", "The parcel is for 東京都."),
		plainMail("Ann <ann@shop.test>", "dashed", "The well-known e-mail address"),
		plainMail("Ann <ann@shop.test>", "apart", "The email with my address"),
		plainMail("Ann <ann@shop.test>", "one", "The wellknown email address"),
	} {
		k.receive(m, b.Address)
	}
	check := func(when string) {
		t.Helper()
		for query, want := range map[string][]string{
			"has:link":                        {"link"},
			"parcel has:link":                 {"link"},
			"from:ann has:link":               {"link"},
			"parcel -has:link":                {"joined", "parted", "bare"},
			"東京":                              {"joined"},
			"東京都":                             {"joined"},
			"parcel -東京":                      {"parted", "bare", "link"},
			"parcel -東京都":                     {"parted", "bare", "link"},
			`parcel -"for 東京"`:                {"parted", "bare", "link"},
			`"for 東京都" parcel`:                {"joined"},
			"東 京 -東京":                         {"parted"},
			`"email address"`:                 {"one", "dashed"},
			`"e-mail address"`:                {"one", "dashed"},
			`"the wellknown e"`:               {"dashed"},
			`"wellknown email address"`:       {"one", "dashed"},
			`address -"email address"`:        {"apart"},
			`address -"wellknown email"`:      {"apart"},
			`address "email address" -dashed`: {"one"},
		} {
			b.finds(when, query, want)
		}
	}
	check("waiting")
	k.index()
	check("indexed")
}

// Where more comes in than can be taken the index waits, mail is found all the same, and anyone who searches has the
// index catch up.
func TestSearchEndsPuttingOff(t *testing.T) {
	t.Parallel()
	k := newService(t, withIndex(t), func(o *service.Options) { o.Now = time.Now })
	b := k.permanent("robin")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.svc.Index().Run(ctx) }()
	n := 0
	until := func(what string, done func(lag time.Duration) bool) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			n++
			k.receive(plainMail("Kim <kim@example.com>", fmt.Sprintf("number%05d", n), "Hello."), b.Address)
			k.svc.Index().Overload()
			lag, err := k.svc.Index().Lag(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if done(lag) {
				return
			}
			if time.Since(began) > time.Minute {
				t.Fatalf("%s: the index is %v behind", what, lag)
			}
		}
	}
	until("put off", func(lag time.Duration) bool { return lag > 3*time.Second/2 })
	if k.svc.Index().Asked() {
		t.Error("nobody searched, or too many wait, and yet the index hurries")
	}
	for _, i := range []int{1, n / 2, n} {
		subject := fmt.Sprintf("number%05d", i)
		k.same(subject, b.find(subject), []string{subject})
	}
	if !k.svc.Index().Asked() {
		t.Error("a search is not noted")
	}
	until("searched", func(lag time.Duration) bool { return lag < time.Second/2 })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// A test server finds all mail and indexes none of it until somebody searches; what is deleted before that never is.
func TestIndexOnDemand(t *testing.T) {
	k := newService(t, withIndex(t), func(o *service.Options) { o.CatchAll, o.Alone = new(service.CatchAll), true })
	robin := k.permanent("robin")
	k.receive(plainMail("Ann <ann@shop.test>", "first", "It is on its way."), robin.Address)
	gone := k.receive(plainMail("Ann <ann@shop.test>", "second", "It is on its way."), robin.Address)[0].ID
	x := k.svc.Index().NewIndexer()
	k.works("a round", x.Round(t.Context()))
	if ok, err := k.svc.Index().Indexed(t.Context()); err != nil || ok {
		t.Errorf("it was indexed before anybody searched: %v", err)
	}
	k.works("delete", k.svc.DeleteMessage(t.Context(), robin.change(), gone))
	k.same("found", robin.find("way"), []string{"first"})
	k.works("a round", x.Catch(t.Context()))
	if ok, err := k.svc.Index().Indexed(t.Context()); err != nil || !ok {
		t.Errorf("it was not indexed after a search: %v", err)
	}
	k.same("found again", robin.find("way"), []string{"first"})
}

// The inbox takes the cursors that it gave, whichever way it was searched.
func TestInboxSearchPages(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 5 {
		k.receive(plainMail("Ann <ann@shop.test>", fmt.Sprint("parcel ", i), "It is on its way."), b.Address)
	}
	k.index()
	for _, mode := range []string{"", "keyword", "semantic", "hybrid"} {
		seen := make(map[string]bool)
		q := service.InboxQuery{Query: "parcel", Mode: mode, Page: service.Page{Limit: 2}}
		for more := true; more; more = q.Page.Cursor != "" {
			list, err := k.svc.Inbox(t.Context(), b.read(), q)
			if err != nil {
				t.Fatalf("%q: %v", mode, err)
			}
			for _, m := range list.Items {
				if seen[m.Subject] {
					t.Errorf("%q: %s is there twice", mode, m.Subject)
				}
				seen[m.Subject] = true
			}
			q.Page.Cursor = list.Next
		}
		if len(seen) != 5 {
			t.Errorf("%q found %d, want 5", mode, len(seen))
		}
	}
}

// What comes between two pages pushes nothing of the first onto the second.
func TestSearchPagesWhileMailComes(t *testing.T) {
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = flatEncoder{} })
	b := k.permanent("robin")
	for _, mode := range []string{"keyword", "semantic", "hybrid"} {
		for i := range 6 {
			k.receive(plainMail("Ann <ann@shop.test>", fmt.Sprint(mode, i), "The parcel is on its way."), b.Address)
		}
		before := len(b.find("parcel"))
		seen := make(map[string]bool)
		q := service.InboxQuery{Query: "parcel", Mode: mode, Page: service.Page{Limit: 4}}
		for partial := true; partial; k.svc.Index().Wait() { // vectors that come between two pages push as well
			partial = b.asks(q).PartialVectors
		}
		for more := true; more; more = q.Page.Cursor != "" {
			list := b.asks(q)
			for _, m := range list.Items {
				if seen[m.Subject] {
					t.Errorf("%s: %s is there twice", mode, m.Subject)
				}
				seen[m.Subject] = true
			}
			q.Page.Cursor = list.Next
			k.receive(plainMail("Ann <ann@shop.test>", fmt.Sprint("parcel ", mode, len(seen)), "The parcel is here."),
				b.Address)
		}
		if len(seen) != before {
			t.Errorf("%s: %d found, want %d", mode, len(seen), before)
		}
	}
}

// Each hit is shown once, also where the caller deletes every page before it asks for the next one, and while vectors
// are made.
func TestSearchPagesWhileMailGoes(t *testing.T) {
	for _, mode := range []string{"keyword", "hybrid", "semantic"} {
		t.Run(mode, func(t *testing.T) {
			k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = flatEncoder{} })
			b := k.permanent("robin")
			for i := range 30 {
				k.receive(plainMail("Ann <ann@shop.test>", fmt.Sprint(i), "The parcel is on its way."), b.Address)
			}
			k.index()
			seen := make(map[string]bool)
			q := service.InboxQuery{Query: "parcel", Mode: mode, Page: service.Page{Limit: 4}}
			for partial := mode == "semantic"; partial; k.svc.Index().Wait() { // it finds only what has a vector
				partial = b.asks(q).PartialVectors
			}
			for more := true; more; more = q.Page.Cursor != "" {
				list := b.asks(q)
				for _, m := range list.Items {
					if seen[m.Subject] {
						t.Errorf("%s is there twice", m.Subject)
					}
					seen[m.Subject] = true
					if err := k.svc.DeleteMessage(t.Context(), b.read(), m.ID); err != nil {
						t.Error(err)
					}
				}
				q.Page.Cursor = list.Next
			}
			if len(seen) != 30 {
				t.Errorf("%d were shown, want 30", len(seen))
			}
		})
	}
}

// The same questions have the same answers before and after the messages are indexed, merged, and looked for by
// relevance. Only the text of attachments is found when it was read.
func TestSearch(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	for i, m := range []string{
		plainMail("Ann Lee <ann.lee@shop.test>", "one", "Your parcel will arrive on Monday."),
		plainMail("Bob <bob@bank.test>", "two", "The invoice for your parcel is attached. Monday is a holiday."),
		plainMail("Ann Lee <ann.lee@shop.test>", "three", "On Monday will arrive nothing."),
		plainMail("zoe@travel.test", "four", "東京の天気は晴れです"),
		plainMail("zoe@travel.test", "five", "Your verification code is 482915."),
		withFile("text/csv", "prices.csv", "apples,pears\r\n1,2\r\n"),
	} {
		k.receive(m, b.Address)
		k.Clock.Advance(time.Minute)
		if i == 2 {
			k.index() // the rest waits
		}
	}
	k.receive(plainMail("x@y.test", "foreign", "Your parcel will arrive on Monday."), other.Address)
	check := func(when string) {
		t.Helper()
		for query, want := range map[string][]string{
			"parcel":                  {"two", "one"},
			"monday":                  {"three", "two", "one"},
			`"arrive on monday"`:      {"one"},
			`"will arrive"`:           {"three", "one"},
			"parcel -invoice":         {"one"},
			`monday -"will arrive"`:   {"two"},
			"monday -from:ann":        {"two"},
			"monday -holiday -parcel": {"three"},
			"-monday -parcel -four":   {"A file", "five"},
			"from:ann.lee@shop.test":  {"three", "one"},
			"from:lee monday parcel":  {"one"},
			"invoice OR nothing":      {"three", "two"},
			"東京":                      {"four"},
			"天気は":                     {"four"},
			"気":                       {"four"},
			"482915":                  {"five"},
			"has:code":                {"five"},
			"inv":                     nil, // beginnings are looked for in subjects, names and addresses
			"fiv":                     {"five"},
			"absentword":              nil,
			"pears":                   {"A file"},
			"prices.csv":              {"A file"},
			"has:attachment":          {"A file"},
			"-monday -parcel":         {"A file", "five", "four"},
			"((broken \"query":        nil,
			"subject:one":             {"one"},
			"to:robin@example.test x": nil,
		} {
			if query == "pears" && when == "half indexed" {
				want = nil
			}
			b.finds(when, query, want)
		}
	}
	check("half indexed")
	k.index()
	check("indexed")

	found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "parcel", Page: service.Page{Limit: 1}})
	if err != nil || len(found.Items) != 1 || found.Next == "" || found.Items[0].Score <= 0 ||
		len(found.Items[0].Highlights) == 0 {
		t.Fatalf("by relevance: %+v, %v", found, err)
	}
	next, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "parcel", Page: service.Page{Limit: 1,
		Cursor: found.Next}})
	if err != nil || len(next.Items) != 1 || next.Items[0].ID == found.Items[0].ID || next.Next != "" {
		t.Errorf("the next page: %+v, %v", next, err)
	}
}

func TestSearchPages(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 30 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
		if i == 20 {
			k.index()
		}
	}
	var all []string
	page := service.Page{Limit: 7}
	for {
		list, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Query: "common", Page: page})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Items {
			all = append(all, m.Subject)
		}
		if page.Cursor = list.Next; page.Cursor == "" {
			break
		}
	}
	if len(all) != 30 || all[0] != "number 29" || all[29] != "number 0" {
		t.Errorf("%d found: %v", len(all), all)
	}
	list, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Query: "common", Page: service.Page{Limit: 5,
		Offset: 12}})
	if err != nil || len(list.Items) != 5 || list.Items[0].Subject != "number 17" {
		t.Errorf("with an offset: %+v, %v", list.Items, err)
	}
}

// What is deleted is found by nobody, at once, and its words leave the index.
func TestSearchForgets(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	ids := b.numbered(40)
	k.receive(plainMail("x@y.test", "kept", "common text"), other.Address)
	k.index()
	for _, id := range ids[:30] {
		if err := k.svc.DeleteMessage(t.Context(), b.change(), id); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.find("common"); len(got) != 10 {
		t.Errorf("%d found at once", len(got))
	}
	k.index()
	docs := func(b box) (n int) {
		t.Helper()
		list, err := k.Options.Index.Segments(t.Context(), b.Num)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			n += s.Docs
		}
		return n
	}
	if n := docs(b); n != 10 {
		t.Errorf("%d messages are in the index, want 10", n)
	}
	if _, err := k.svc.DeleteMailbox(t.Context(), b.in(mailbox.DeleteMailbox)); err != nil {
		t.Fatal(err)
	}
	k.index()
	if n := docs(b); n != 0 {
		t.Errorf("%d messages of a deleted mailbox are in the index", n)
	}
	if got := other.find("common"); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("the other's: %v", got)
	}
}

// By relevance too a deleted message is not found, and takes nobody's place: before the index has heard of it, and
// while its words are still there.
func TestRankedWithoutDeleted(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	var ids []mailbox.ID
	for i := range 40 {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common"), b.Address)[0].ID)
	}
	k.index()
	left := ids
	drop := func(from, to int) {
		for _, id := range left[from:to] {
			if err := k.svc.DeleteMessage(t.Context(), b.change(), id); err != nil {
				t.Fatal(err)
			}
		}
		left = slices.Delete(slices.Clone(left), from, to)
	}
	check := func(when string) {
		t.Helper()
		q := service.InboxQuery{Query: "common", Mode: "keyword", Page: service.Page{Limit: 7}}
		var found []mailbox.ID
		for pages := 0; pages == 0 || q.Page.Cursor != ""; pages++ {
			list, err := k.svc.Search(t.Context(), b.read(), q)
			if err != nil {
				t.Fatal(err)
			}
			if list.Next != "" && len(list.Items) != q.Page.Limit {
				t.Errorf("%s: a page of %d", when, len(list.Items))
			}
			for _, m := range list.Items {
				found = append(found, m.ID)
			}
			q.Page.Cursor = list.Next
		}
		slices.Reverse(found) // they differ in nothing but their age
		if !slices.Equal(found, left) {
			t.Errorf("%s: %d were found, want %d", when, len(found), len(left))
		}
	}
	check("at first")
	drop(10, 12)
	check("some deleted, the index has not heard of it")
	k.index()
	if !docsDropped(k, b) {
		t.Error("the index has already left them out")
	}
	check("it has heard of it")
	drop(31, 38)
	check("but not of the newest")
	drop(0, 1)
	check("nor of the oldest")
	drop(20, 22)
	k.update(func(tx store.Tx) error {
		list, err := tx.Forgotten(t.Context(), 0, 1000)
		for _, f := range list {
			err = errors.Join(err, tx.Forgot(t.Context(), f.Number))
		}
		return err
	})
	check("it never will")
}

// shakyIndex does not tell its segments for some calls.
type shakyIndex struct {
	*sqlite.Index
	well int // calls until then
}

func (x *shakyIndex) Segments(ctx context.Context, num mailbox.Num) ([]store.Segment, error) {
	if x.well--; x.well == -1 {
		return nil, store.ErrUnavailable
	}
	return x.Index.Segments(ctx, num)
}

// A search that has the segments, and cannot ask for them again, does with those.
func TestRankedWithWhatItHas(t *testing.T) {
	index := &shakyIndex{}
	k := newService(t, withIndex(t), func(o *service.Options) {
		index.Index = o.Index.(*sqlite.Index)
		o.Index = index
	})
	b := k.permanent("robin")
	var ids []mailbox.ID
	for i := range 6 {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common"), b.Address)[0].ID)
	}
	k.index()
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), ids[2]))
	k.index()
	index.well = 1
	list, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "common", Mode: "keyword",
		Page: service.Page{Limit: 10}})
	if err != nil || len(list.Items) != 5 || index.well != -1 {
		t.Errorf("%d found, %v; asked for its segments until %d", len(list.Items), err, index.well)
	}
}

// docsDropped tells whether the index knows of deleted messages that it still has.
func docsDropped(k *kit, b box) bool {
	list, err := k.Options.Index.Segments(k.Context(), b.Num)
	if err != nil {
		k.Fatal(err)
	}
	return slices.ContainsFunc(list, func(s store.Segment) bool { return s.Dropped > 0 })
}

// Words of a deleted message leave the index within the hour, also where little else was deleted.
func TestSearchSweeps(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	var ids []mailbox.ID
	for i := range 40 {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), fmt.Sprint("common secret", i)),
			b.Address)[0].ID)
	}
	k.index()
	if err := k.svc.DeleteMessage(t.Context(), b.change(), ids[7]); err != nil {
		t.Fatal(err)
	}
	k.index()
	docs := func() (n int) {
		list, err := k.Options.Index.Segments(t.Context(), b.Num)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			n += s.Docs
		}
		return n
	}
	if n := docs(); n != 40 {
		t.Fatalf("%d messages are in the index, want 40 until it is swept", n)
	}
	k.Clock.Advance(45 * time.Minute)
	if err := k.svc.Trim(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.index()
	if n := docs(); n != 39 {
		t.Errorf("%d messages are in the index, want 39", n)
	}
	if got := b.find("common"); len(got) != 39 || len(b.find("secret7")) != 0 {
		t.Errorf("%d found", len(got))
	}
	if left, err := k.Options.Index.DroppedIn(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("still to be dropped in %v, %v", left, err)
	}
}

// An index that is lost is made again.
func TestSearchWithoutItsIndex(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	b.numbered(5)
	k.index()
	withIndex(t)(&k.Options)
	var err error
	if k.svc, err = service.Open(t.Context(), k.Options); err != nil {
		t.Fatal(err)
	}
	if got := b.find("common"); len(got) != 5 {
		t.Errorf("%d found before it is made", len(got))
	}
	k.index()
	if got := b.find("common"); len(got) != 5 {
		t.Errorf("%d found", len(got))
	}
}

// Every message is found by each of its words, while it waits and when it is indexed.
func TestSearchFindsEveryWord(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	text := "Liebe Gäste, das Zimmer kostet 1.234,50 € pro Woche; Früh-Stück inklusive. Ваш код подтверждения готов. " +
		"予約が確認されました。"
	k.receive(plainMail("Ünal Öz <uenal.oez@hotel.test>", "Buchung bestätigt", text), b.Address)
	for _, when := range []string{"waiting", "indexed"} {
		for _, word := range strings.Fields("liebe gaste Gäste zimmer 1234.50 woche früh stück frühstück inklusive " +
			"ваш код подтверждения готов 予約 確認 確認されました uenal.oez@hotel.test hotel.test unal oz buchung bestatigt") {
			if got := b.find(word); len(got) != 1 {
				t.Errorf("%s: %q found %v", when, word, got)
			}
		}
		k.index()
	}
}

// What is meant is found without its words, soon after the first search and when the vectors were made in the
// background.
func TestSearchByMeaning(t *testing.T) {
	encoder, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder })
	b, other := k.permanent("robin"), k.permanent("kim")
	var ids []mailbox.ID
	for subject, body := range map[string]string{
		"Your flight to Lisbon":    "Boarding starts at 9:40 at gate 12. Please check in online.",
		"Invoice for October":      "The amount due is 120 euros. Please pay within two weeks.",
		"Team lunch":               "We are eating pizza together on Friday at noon.",
		"Password changed":         "The password of your account was changed yesterday.",
		"Dentist":                  "Your next check-up is on Tuesday. Call us if you cannot come.",
		"Die Rechnung für Oktober": "Bitte überweisen Sie den Betrag.",
		"体检报告":                     "血压略高，其余指标正常，建议少吃盐并在半年后复查。",
	} {
		ids = append(ids, k.receive(plainMail("x@y.test", subject, body), b.Address)[0].ID)
	}
	k.receive(plainMail("x@y.test", "Your trip", "The plane leaves at noon."), other.Address)
	find := func(mode, query string) (subjects []string) {
		t.Helper()
		list, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query, Mode: mode,
			Page: service.Page{Limit: 10}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Items {
			subjects = append(subjects, m.Subject)
		}
		return subjects
	}
	check := func(when string) {
		t.Helper()
		for query, want := range map[string]string{"when does my plane leave": "Your flight to Lisbon",
			"money I owe": "Invoice for October", "doctor appointment": "Dentist", "医院检查的结果": "体检报告",
			"wie viel Geld muss ich noch bezahlen": "Die Rechnung für Oktober"} {
			for _, mode := range []string{"semantic", "hybrid"} {
				if got := find(mode, query); len(got) == 0 || got[0] != want || slices.Contains(got, "Your trip") {
					t.Errorf("%s, %s: %q found %v", when, mode, query, got)
				}
			}
			if got := find("keyword", query); len(got) != 0 {
				t.Errorf("%s: %q has the words of %v", when, query, got)
			}
		}
		for _, mode := range []string{"semantic", "hybrid", "keyword"} {
			for query, none := range map[string]bool{"when does my plane leave": mode == "keyword",
				"when does my plane leave from:x@y.test": mode == "keyword", "when does my plane leave from:z": true,
				"when does my plane leave subject:walrus": true, `when does my plane leave "gate 13"`: true,
				"subject:flight": false, "from:x@y.test": false, "has:code": true} {
				if got := find(mode, query); (len(got) == 0) != none {
					t.Errorf("%s, %s: %q found %v", when, mode, query, got)
				}
			}
			if got := find(mode, "when does my plane leave -lisbon"); slices.Contains(got, "Your flight to Lisbon") {
				t.Errorf("%s, %s: found with what must not be there: %v", when, mode, got)
			}
		}
		if got := find("hybrid", "Rechnung"); len(got) == 0 || got[0] != "Die Rechnung für Oktober" {
			t.Errorf("%s: in another language: %v", when, got)
		}
	}
	find("semantic", "plane") // it makes some of the vectors itself, and has the others made
	k.svc.Index().Wait()
	check("soon")
	k.embed(b)
	k.index()
	check("made in the background")
	for _, id := range ids {
		if err := k.svc.DeleteMessage(t.Context(), b.change(), id); err != nil {
			t.Fatal(err)
		}
	}
	if got := find("hybrid", "when does my plane leave"); len(got) != 0 {
		t.Errorf("deleted, and found: %v", got)
	}
	k.index()
	err = k.Options.Index.Vectors(t.Context(), b.Num,
		func(seq int64, _ []byte) error { return fmt.Errorf("the vector of %d is left", seq) })
	if err != nil {
		t.Error(err)
	}
}

// What an attachment is called and says is found, whether its message went to the indexer by memory or by the store,
// and shown, as recipients are.
func TestSearchAttachmentsOfFreshMail(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("wren")
	attached := func(subject, head, data string) {
		k.receive("From: a@example.org\r\nSubject: "+subject+"\r\nMIME-Version: 1.0\r\nContent-Type: "+
			"multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee below.\r\n--b\r\n"+
			head+"\r\n\r\n"+data+"\r\n--b--\r\n", b.Address)
	}
	attached("bytes", "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; "+
		"filename=heron.bin\r\nContent-Transfer-Encoding: base64", "AAECAwQF")
	attached("rtf", "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=egret",
		`{\rtf1 bittern}`)
	attached("text", "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=stork.txt", "a spoonbill")
	k.index()
	for query, want := range map[string][2]string{"heron": {"bytes", "filename"}, "egret": {"rtf", "filename"},
		"bittern": {"rtf", "filetext"}, "stork": {"text", "filename"},
		"spoonbill": {"text", "filetext"}, "wren -subject:bytes -subject:rtf": {"text", "to"}} {
		k.same(query, b.find(query), want[:1])
		found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query, Mode: "keyword",
			Page: service.Page{Limit: 10}})
		if err != nil || len(found.Items) != 1 {
			t.Errorf("%s by relevance: %d found, %v", query, len(found.Items), err)
			continue
		}
		var shown []string
		for _, h := range found.Items[0].Highlights {
			if len(h.Spans) == 1 {
				shown = append(shown, h.Field)
			}
		}
		k.same(query+" is shown", shown, want[1:])
	}
}

// However long a query is, it is answered.
func TestSearchLongQueries(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	k.receive(plainMail("x@y.test", "one", "words"), b.Address)
	k.index()
	words := func(before string, n int) (query string) {
		for i := range n {
			query += fmt.Sprintf(" %sw%d", before, i)
		}
		return query
	}
	for name, query := range map[string]string{"words": words("", 300), "not": words("-", 300),
		"or":     strings.ReplaceAll(words("", 100), " ", " OR "),
		"phrase": `"` + words("", 200) + `"`, "not a phrase": `-"` + words("", 200) + `"`,
		"phrases":     strings.Repeat(`"a b c d" `, 60),
		"not phrases": strings.Repeat(`-"a b c d" `, 60), "joined": strings.Repeat("a-b-c-d-e ", 60),
		"not joined": strings.Repeat("-a-b-c-d-e ", 60)} {
		if _, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Query: query,
			Page: service.Page{Limit: 100}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query,
			Page: service.Page{Limit: 100}}); err != nil {
			t.Errorf("%s, by relevance: %v", name, err)
		}
	}
}

// Whatever is asked, the answer is the same before and after messages are indexed.
func TestSearchSameOnceIndexed(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 2))
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	words := []string{"e-mail", "email", "e", "mail", "東京", "東", "京", "都", "京都", "、", "ー", "サーバー", "한국", "국", "12",
		"345", "12 345", "12345", "1,234.56", "1 234,56", "น้ำ", "คน",
		"น้", "a.b", "a.b.c", "kim@example.com", "example.com", "U.S.A.", "don't", "dont", "🇩🇪", "🇪", "🎉",
		"https://x.test/a", "alpha", "al-pha", "foo_bar", "foobar", "foo", "Straße", "版",
		"Windows版", "10.0.0.1", "10001", "½", "ﬁ", "𐐀", "𐐀-𐐁"}
	gaps := []string{" ", " ", " ", "", "-", "、", ", "}
	text := func(n int) (text string) {
		for range n {
			text += words[r.IntN(len(words))] + gaps[r.IntN(len(gaps))]
		}
		return text
	}
	for i := range 40 {
		k.receive(plainMail("Kim <kim@example.com>", fmt.Sprint("s", i, " ", text(2)), text(1+r.IntN(8))), b.Address)
	}
	marks := []string{"", "", "", "-", "subject:", "-subject:", "body:", "NOT "}
	var queries []string
	waiting := make(map[string][]string)
	for range 500 {
		query := ""
		for range 1 + r.IntN(3) {
			query += marks[r.IntN(len(marks))]
			switch word := words[r.IntN(len(words))]; r.IntN(5) {
			case 0:
				query += `"` + text(1+r.IntN(3)) + `" `
			case 1:
				query += "(" + word + " OR " + words[r.IntN(len(words))] + ") "
			case 2:
				query += word + words[r.IntN(len(words))] + " "
			default:
				query += word + " "
			}
		}
		queries = append(queries, query)
		waiting[query] = b.find(query)
	}
	k.index()
	for _, query := range queries {
		k.same(query, b.find(query), waiting[query])
	}
}
