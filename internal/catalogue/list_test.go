package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
)

var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// mail is the n-th message, which came n minutes after noon.
func mail(n int, change ...func(*mailbox.Message)) mailbox.Message {
	at := noon.Add(time.Duration(n) * time.Minute)
	m := mailbox.Message{ID: mailbox.NewID(at), Seq: int64(n), Size: int64(n * 100), ReceivedAt: at,
		Subject: fmt.Sprint("mail ", n)}
	for _, c := range change {
		c(&m)
	}
	return m
}

func tagged(tags ...string) func(*mailbox.Message) {
	return func(m *mailbox.Message) { m.Labels = mailbox.Retag(m.Labels, tags) }
}

func seen(m *mailbox.Message) { m.Seen = true }

// loader makes cards, and counts them.
type loader struct{ loaded int }

func (l *loader) load(m *mailbox.Message, text bool) (*catalogue.Card, error) {
	l.loaded++
	c := &catalogue.Card{From: mailbox.Address{Name: "Ann Lee", Address: fmt.Sprintf("ann%d@one.test", m.Seq)},
		To: []mailbox.Address{{Address: fmt.Sprintf("bo%d@two.test", m.Seq)}}, Attachments: int(m.Seq) % 2}
	c.Fill(catalogue.Source{Subject: m.Subject, MessageID: fmt.Sprint("id", m.Seq, "@x"),
		Body: fmt.Sprint("The code is ", 1000+m.Seq, ",\r\n thank  you."), Bare: !text})
	return c, nil
}

func seqs(entries []*catalogue.Entry) (list []int64) {
	for _, e := range entries {
		list = append(list, e.Seq)
	}
	return list
}

func TestFind(t *testing.T) {
	l := catalogue.New(1 << 20)
	l.Put(mail(1))
	l.Put(mail(2, seen, tagged("Big Tag")))
	l.Put(mail(3))
	l.Put(mail(4, tagged("other")))
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }
	type term = catalogue.Term
	for _, tt := range []struct {
		name  string
		terms []term
		want  []int64
	}{
		{"everything", nil, []int64{4, 3, 2, 1}},
		{"a part of a word", []term{{Field: catalogue.Text, Value: "100"}}, []int64{4, 3, 2, 1}},
		{"a phrase over a line", []term{{Field: catalogue.Text, Value: catalogue.Fold("1003, THANK you")}}, []int64{3}},
		{"not", []term{{Field: catalogue.Text, Value: "1003", Not: true}}, []int64{4, 2, 1}},
		{"from", []term{{Field: catalogue.From, Value: "ann2"}}, []int64{2}},
		{"from is not to", []term{{Field: catalogue.From, Value: "bo2"}}, nil},
		{"to", []term{{Field: catalogue.To, Value: "bo2@two"}}, []int64{2}},
		{"addressed", []term{{Field: catalogue.Addressed, Value: "bo2@two"}}, []int64{2}},
		{"subject", []term{{Field: catalogue.Subject, Value: "mail 3"}}, []int64{3}},
		{"message id", []term{{Field: catalogue.MessageID, Value: "id4@"}}, []int64{4}},
		{"tag in any case", []term{{Field: catalogue.Tag, Value: "big tag"}}, []int64{2}},
		{"a part of a tag", []term{{Field: catalogue.Tag, Value: "big"}}, nil},
		{"tagged", []term{{Field: catalogue.Tagged}}, []int64{4, 2}},
		{"read", []term{{Field: catalogue.Seen}}, []int64{2}},
		{"attachments", []term{{Field: catalogue.Attachments}}, []int64{3, 1}},
		{"after includes the moment", []term{{Field: catalogue.After, At: at(3)}}, []int64{4, 3}},
		{"before includes the moment", []term{{Field: catalogue.Before, At: at(2)}}, []int64{2, 1}},
		{"larger", []term{{Field: catalogue.Larger, Size: 200}}, []int64{4, 3}},
		{"smaller", []term{{Field: catalogue.Smaller, Size: 200}}, []int64{1}},
		{"all hold", []term{{Field: catalogue.Text, Value: "code"}, {Field: catalogue.Tagged, Not: true}},
			[]int64{3, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := l.Find(catalogue.Query{Terms: tt.terms}, 0, -1, new(loader).load)
			if err != nil || !slices.Equal(seqs(p.Entries), tt.want) || p.Count != len(tt.want) {
				t.Errorf("found %v of %d (%v), want %v", seqs(p.Entries), p.Count, err, tt.want)
			}
		})
	}
	p, err := l.Find(catalogue.Query{Terms: []catalogue.Term{{Field: catalogue.Text, Value: "code"}}}, 1, 2,
		new(loader).load)
	if err != nil || !slices.Equal(seqs(p.Entries), []int64{3, 2}) || p.Count != 4 || p.Unread != 3 {
		t.Errorf("second page %v of %d, %d unread, %v", seqs(p.Entries), p.Count, p.Unread, err)
	}
	p, _ = l.Find(catalogue.Query{Until: at(3)}, 0, -1, new(loader).load)
	if !slices.Equal(seqs(p.Entries), []int64{2, 1}) {
		t.Errorf("what came before: %v", seqs(p.Entries))
	}
	if p, _ = l.Find(catalogue.Query{}, 7, 5, new(loader).load); len(p.Entries) != 0 || p.Count != 4 {
		t.Errorf("beyond the end: %v of %d", seqs(p.Entries), p.Count)
	}
}

func TestCounters(t *testing.T) {
	l := catalogue.New(1 << 20)
	for n := range 5 {
		l.Put(mail(n + 1))
	}
	changed := mail(2, seen, tagged("a", "b"))
	changed.ID = l.Entry(mustSeq(t, l, 2).ID).ID
	l.Put(changed)
	l.Remove(4)
	l.Remove(4)
	if l.Len() != 4 || l.Unread() != 3 || l.Tags()["a"] != 1 {
		t.Errorf("%d messages, %d unread, tags %v", l.Len(), l.Unread(), l.Tags())
	}
	changes, ok := l.Changes(5)
	var kinds []catalogue.ChangeKind
	for _, c := range changes {
		kinds = append(kinds, c.Kind)
	}
	if want := []catalogue.ChangeKind{catalogue.Marked, catalogue.Retagged, catalogue.Gone}; !ok ||
		!slices.Equal(kinds, want) {
		t.Errorf("changes %v, want %v", kinds, want)
	}
	l.Put(mail(2))
	if len(l.Tags()) != 0 || l.Unread() != 4 {
		t.Errorf("after the tags went: %v, %d unread", l.Tags(), l.Unread())
	}
	for range 3000 {
		l.Put(mail(9))
		l.Remove(9)
	}
	if _, ok := l.Changes(5); ok {
		t.Error("changes of long ago are still there")
	}
}

func mustSeq(t *testing.T, l *catalogue.List, seq int64) *catalogue.Entry {
	t.Helper()
	p, err := l.Find(catalogue.Query{}, 0, -1, new(loader).load)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Entries, func(e *catalogue.Entry) bool { return e.Seq == seq })
	return p.Entries[i]
}

// Texts beyond the budget are not kept, and found all the same.
func TestBudget(t *testing.T) {
	const texts = 10
	const size = len(" the code is 1010 thank you.")
	l := catalogue.New(texts * size)
	for n := range 50 {
		l.Put(mail(n + 10))
	}
	var made loader
	for _, n := range []int{59, 10, 30} {
		p, err := l.Find(catalogue.Query{Terms: []catalogue.Term{{Field: catalogue.Text,
			Value: fmt.Sprint(1000 + n)}}}, 0, -1, made.load)
		if err != nil || !slices.Equal(seqs(p.Entries), []int64{int64(n)}) {
			t.Errorf("looked for %d, found %v, %v", n, seqs(p.Entries), err)
		}
	}
	if made.loaded <= 50 || made.loaded >= 150 {
		t.Errorf("%d cards were made: some texts must be kept, and not all", made.loaded)
	}
	before := made.loaded
	if _, err := l.Find(catalogue.Query{}, 0, -1, made.load); err != nil || made.loaded != before {
		t.Errorf("a list without search made %d cards (%v): people are kept", made.loaded-before, err)
	}
}

func TestSnippet(t *testing.T) {
	var c catalogue.Card
	c.Fill(catalogue.Source{Body: " a \r\n\t b " + strings.Repeat("ü", 300)})
	if !strings.HasPrefix(c.Snippet, "a b ü") || !strings.HasSuffix(c.Snippet, "ü...") || len(c.Snippet) > 203 {
		t.Errorf("%d bytes: %q", len(c.Snippet), c.Snippet)
	}
}
