package index_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// An answer is found by what it says, whatever stands below it, and by the whole.
func TestSearchByMeaningOfReply(t *testing.T) {
	encoder, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder })
	b := k.permanent("robin")
	history := strings.Repeat("> The quarterly budget of the marketing department was approved by the board, and "+
		"invoices are to be paid within thirty days.\r\n", 6)
	k.receive(plainMail("Ann <ann@shop.test>", "Re: Notes", "My cat is ill and I must take her to the vet "+
		"today.\r\n\r\nOn Mon, 2 Mar 2026 at 10:00, Robin <robin@example.test> wrote:\r\n"+history), b.Address)
	k.receive(plainMail("Bob <bob@shop.test>", "Notes", "The quarterly budget of the marketing department was "+
		"approved by the board."), b.Address)
	k.index()
	cosine := func(query string) (scores []float64) {
		t.Helper()
		list, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query, Mode: "semantic",
			Page: service.Page{Limit: 10}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Items {
			scores = append(scores, m.Score)
			if len(scores) == 1 && m.Subject != "Re: Notes" {
				t.Errorf("%q found %q first", query, m.Subject)
			}
		}
		return scores
	}
	if got := cosine("a sick animal at the doctor"); len(got) == 0 || len(got) > 2 || got[0] < 0.3 {
		t.Errorf("the answer has %v", got)
	}
	vectors := map[int64]int{}
	k.vectors(b, func(seq int64, record []byte) {
		const vector, mark = meaning.Dims + 4, meaning.Dims / 8
		marks := int(record[len(record)-1])
		vectors[seq] = (len(record) - 1 - marks*mark) / vector
		if marks == 0 || len(record) > 2000 {
			t.Errorf("message %d has %d marks in %d bytes", seq, marks, len(record))
		}
	})
	if vectors[1] != 2 || vectors[2] != 1 {
		t.Errorf("vectors: %v", vectors)
	}
}

// vectors reads those of a mailbox, once the search that made them has stored them.
func (k *kit) vectors(b box, each func(seq int64, v []byte)) {
	k.Helper()
	k.svc.Index().Wait()
	err := k.Options.Index.Vectors(k.Context(), b.Num, func(seq int64, v []byte) error {
		each(seq, v)
		return nil
	})
	if err != nil {
		k.Fatal(err)
	}
}

// countingEncoder counts the messages and the queries that it reads.
type countingEncoder struct {
	*meaning.Encoder
	read, asked atomic.Int64
}

func newCounted(t *testing.T) (*kit, *countingEncoder) {
	t.Helper()
	whole, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	encoder := &countingEncoder{Encoder: whole}
	return newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder }), encoder
}

func (c *countingEncoder) Query(text string) meaning.Query {
	c.asked.Add(1)
	return c.Encoder.Query(text)
}

func (c *countingEncoder) Record(ctx context.Context, texts []meaning.Text) ([]byte, error) {
	c.read.Add(1)
	return c.Encoder.Record(ctx, texts)
}

// Searches of one mailbox at the same time make the vectors of its new messages once.
func TestSearchesShareNewVectors(t *testing.T) {
	k, encoder := newCounted(t)
	b := k.permanent("robin")
	const mails = 2 // few, because a search waits for them no longer than a second and a half
	for i := range mails {
		k.receive(plainMail("x@y.test", fmt.Sprintf("Your flight number %d", i), "Boarding starts at 9:40."), b.Address)
	}
	in := b.read()
	var searches sync.WaitGroup
	for range 6 {
		searches.Go(func() {
			list, err := k.svc.Search(t.Context(), in, service.InboxQuery{Query: "when does my plane leave",
				Mode: "semantic", Page: service.Page{Limit: 10}})
			if err != nil || len(list.Items) != mails {
				t.Errorf("%d found, %v", len(list.Items), err)
			}
		})
	}
	searches.Wait()
	if n := encoder.read.Load(); n != mails {
		t.Errorf("%d messages were read, and there are %d", n, mails)
	}
}

// The pages of a search read its query once, and another query is another.
func TestSearchReadsAQueryOnce(t *testing.T) {
	k, encoder := newCounted(t)
	b := k.permanent("robin")
	for i := range 3 {
		k.receive(plainMail("x@y.test", fmt.Sprintf("Your flight number %d", i), "Boarding starts at 9:40."), b.Address)
	}
	for i, query := range []string{"when does my plane leave", "flight departure time"} {
		page, seen := service.Page{Limit: 1}, 0
		for range 3 {
			found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query, Mode: "semantic",
				Page: page})
			k.works("search", err)
			seen += len(found.Items)
			page.Cursor = found.Next
		}
		if n := encoder.asked.Load(); n != int64(i+1) || seen != 3 {
			t.Errorf("%q: %d queries were read, %d messages found", query, n, seen)
		}
	}
}

// slowEncoder makes few records, and the others when it may.
type slowEncoder struct {
	countingEncoder
	few  int64
	rest chan struct{} // closed: it may
}

func (e *slowEncoder) Record(ctx context.Context, texts []meaning.Text) ([]byte, error) {
	if e.read.Load() >= e.few {
		select {
		case <-e.rest:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return e.countingEncoder.Record(ctx, texts)
}

// A search makes a few vectors itself, answers with what there is and says so; the others are made afterwards.
func TestSearchDoesNotWaitForVectors(t *testing.T) {
	whole, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"hybrid", "semantic"} {
		encoder := &slowEncoder{countingEncoder{Encoder: whole}, 4, make(chan struct{})}
		k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder })
		b := k.permanent("robin")
		for i := range 20 {
			k.receive(plainMail("x@y.test", fmt.Sprintf("Your flight number %d", i), "Boarding starts at 9:40."),
				b.Address)
		}
		search := func() service.SearchResult {
			found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "when does my plane leave",
				Mode: mode, Page: service.Page{Limit: 50}})
			k.works("search", err)
			return found
		}
		if found := search(); !found.PartialVectors || len(found.Items) > 4 {
			t.Errorf("%s: %d found, partial %v", mode, len(found.Items), found.PartialVectors)
		}
		close(encoder.rest)
		k.svc.Index().Wait()
		if found := search(); found.PartialVectors || len(found.Items) != 20 {
			t.Errorf("%s, when all are made: %d found, partial %v", mode, len(found.Items), found.PartialVectors)
		}
		if n := encoder.read.Load(); n != 20 {
			t.Errorf("%s: %d records made of 20 messages", mode, n)
		}
	}
}

// Where many vectors are missing, a search whose words are found makes none: it answers in its usual time.
func TestSearchByWordsMakesNoVectors(t *testing.T) {
	whole, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	encoder := &slowEncoder{countingEncoder{Encoder: whole}, 0, make(chan struct{})}
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder })
	b := k.permanent("robin")
	for i := range 20 {
		k.receive(plainMail("x@y.test", fmt.Sprintf("Your flight number %d", i), "Boarding starts at 9:40."), b.Address)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	found, err := k.svc.Search(ctx, b.read(), service.InboxQuery{Query: "flight", Mode: "hybrid",
		Page: service.Page{Limit: 50}})
	if err != nil || ctx.Err() != nil || !found.PartialVectors || len(found.Items) != 20 {
		t.Errorf("%d found, partial %v, %v, %v", len(found.Items), found.PartialVectors, err, ctx.Err())
	}
	close(encoder.rest)
	k.svc.Index().Wait()
}

// flatEncoder gives every text the same vector, in a plane.
type flatEncoder struct{}

func (flatEncoder) Model() string { return "flat" }

func (flatEncoder) Vectors(_ context.Context, texts []string) ([]meaning.Vector, error) {
	out := make([]meaning.Vector, len(texts))
	for i := range out {
		out[i] = flat(100, 0)
	}
	return out, nil
}

func flat(x, y int8) meaning.Vector {
	length := math.Hypot(float64(x), float64(y))
	return append(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(1/length))), byte(x), byte(y))
}

// However many messages are nearer, one that is wanted and near enough is found.
func TestSearchByMeaningFiltered(t *testing.T) {
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = flatEncoder{} })
	b := k.permanent("robin")
	id := k.receive(plainMail("Zoe <zoe@travel.test>", "wanted", "The package came."), b.Address)[0].ID
	const others = 230 // more than are looked at without a filter
	for i := range others {
		k.receive(plainMail("Ann <ann@shop.test>", fmt.Sprint("other ", i), "It is at your door."), b.Address)
	}
	k.index()
	err := k.Options.Index.Update(t.Context(), func(tx store.IndexTx) error {
		for seq := int64(1); seq <= others+1; seq++ {
			v := flat(100, 0)
			if seq == 1 {
				v = flat(80, 60)
			}
			if err := tx.PutVector(b.Num, seq, v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := true
	if _, err := k.svc.ChangeMessage(t.Context(), b.change(), id, service.MessageChange{Seen: &seen}); err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]service.InboxQuery{
		"by the query's sender": {Query: "parcel from:zoe"}, "by a phrase": {Query: `parcel "package came"`},
		"by what is not there": {Query: "parcel -subject:other"},
		"by the query's seen":  {Query: "parcel is:seen"}, "by seen": {Query: "parcel", Seen: &seen},
	} {
		for _, q.Mode = range []string{"semantic", "hybrid"} {
			q.Page.Limit = 10
			list, err := k.svc.Search(t.Context(), b.read(), q)
			if err != nil || len(list.Items) != 1 || list.Items[0].ID != id {
				t.Errorf("%s, %s: %d found, %v", name, q.Mode, len(list.Items), err)
			}
		}
	}
}
