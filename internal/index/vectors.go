package index

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/extract/reply"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/view"
)

// Vectors are made at the lowest priority, by one goroutine: a message takes up to forty milliseconds. Where much is
// waiting, only the mail of mailboxes that are searched by meaning gets them.

// Encoder makes vectors of texts.
type Encoder interface {
	Model() string
	Vectors(ctx context.Context, texts []string) ([]meaning.Vector, error)
}

// CloseEncoder is an Encoder that reads mail, and what is looked for, more closely than a vector can tell.
type CloseEncoder interface {
	Query(text string) meaning.Query
	// Record returns what is stored of one message.
	Record(ctx context.Context, texts []meaning.Text) ([]byte, error)
}

const (
	embedBatch = 8
	embedIdle  = 2 * time.Second
	// embedBacklog is how many messages may wait before the mail of mailboxes that nobody searches by meaning is left
	// out.
	embedBacklog = 200
	askedFor     = 30 * 24 * time.Hour
	// embedRecent is of how many of the newest messages a search asks whether they have vectors. Those that have none
	// get them after the search.
	embedRecent = 60
	// embedNow is for how many of these a search makes one itself. It begins none after embedNowTime, and where it
	// looks by meaning alone after embedAloneTime.
	embedNow       = 4
	embedNowTime   = 25 * time.Millisecond
	embedAloneTime = 500 * time.Millisecond
	// embedPressed is the same where so much comes in that reception needs the processor, and nothing else finds them.
	embedPressed = 2
	// nearest is how many messages a search by meaning looks at, and farthest what is not taken for a hit.
	nearest  = 200
	farthest = 0.25
	// nearestFiltered is how many are looked at where some of them may not be wanted.
	nearestFiltered = 2000
)

// Embed makes vectors, whenever it is this node's turn, until ctx ends.
func (ix *Index) Embed(ctx context.Context) error {
	if ix.opt.Index == nil || ix.opt.Encoder == nil {
		return nil
	}
	err := ix.opt.Turn(ctx, "vectors", func(ctx context.Context, fence int64) error {
		return ix.embedTurn(ctx, fenced(ix.opt.Index, "vectors", fence))
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (ix *Index) embedTurn(ctx context.Context, index store.Index) error {
	ear := ix.embedding.Listen(0, 1<<30)
	defer ear.Close()
	worker := ix.opt.Workers.Worker("vectors")
	for ctx.Err() == nil {
		began := time.Now()
		if ix.patient(began) || ix.opt.Disk.Spare() == 0 {
			sleep(ctx, ear.C, embedIdle)
			continue
		}
		pressed := ix.opt.Pressure.high(began)
		place, err := ix.embedBatch(ctx, index, pressed)
		switch took := time.Since(began); {
		case errors.Is(err, store.ErrFenced):
			return err
		case err != nil && ctx.Err() == nil:
			sleep(ctx, nil, max(embedIdle, roundFailed(worker, "make vectors of messages", err)))
		case place == 0:
			worker.Progress()
			sleep(ctx, ear.C, embedIdle)
		case pressed:
			sleep(ctx, nil, max(9*took, worker.Found(place, "place", place)))
		default:
			sleep(ctx, nil, max(took, worker.Found(place, "place", place))) // half a core at most
		}
	}
	return nil
}

// embedBatch makes the vectors of the next messages, and tells how far it has come; 0: there is nothing
// to do now. When it is pressed, mail of mailboxes that nobody
// searches by meaning waits until it is not, or until there is so much of it that it is left out.
func (ix *Index) embedBatch(ctx context.Context, index store.Index, pressed bool) (done int64, err error) {
	place, model, err := index.VectorPlace(ctx)
	if err != nil {
		return 0, err
	}
	if model != ix.opt.Encoder.Model() {
		place = 0 // another model's vectors cannot be compared with
	}
	var work []store.IndexWork
	err = ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
		work, err = r.ToIndex(ctx, everywhere(index, place), embedBacklog)
		work = work[:min(len(work), embedBacklog)]
		return err
	})
	if err != nil || len(work) == 0 {
		return 0, err
	}
	asked, err := index.Asked(ctx, ix.opt.Now().Add(-askedFor))
	if err != nil {
		return 0, err
	}
	var batch []store.IndexWork
	last, long := int64(0), len(work) >= embedBacklog
	for _, w := range work {
		wanted := slices.Contains(asked, w.Mailbox)
		if len(batch) == embedBatch || pressed && !long && !wanted {
			break
		}
		last = w.Place
		if !long || wanted {
			batch = append(batch, w)
		}
	}
	if last == 0 {
		return 0, nil
	}
	records, err := ix.records(ctx, batch)
	if err != nil {
		return 0, err
	}
	err = index.Update(ctx, func(tx store.IndexTx) error {
		if err := tx.SetVectorPlace(last, ix.opt.Encoder.Model()); err != nil {
			return err
		}
		return putRecords(tx, batch, records)
	})
	return last, err
}

// everywhere is a place in all partitions: vectors are made in one order, by one node.
func everywhere(index store.Index, place int64) store.Places {
	places := make(store.Places)
	for p := range index.Partitions() {
		places[p] = place
	}
	return places
}

// putRecords stores the records of messages.
func putRecords(tx store.IndexTx, work []store.IndexWork, records [][]byte) error {
	for i, w := range work {
		if len(records[i]) == 0 {
			continue
		}
		if err := tx.PutVector(w.Mailbox, w.Seq, records[i]); err != nil {
			return err
		}
	}
	return nil
}

// records reads messages and makes what is stored of each for its meaning. One that is gone, or mostly in a script that
// the encoder does not know, has none.
func (ix *Index) records(ctx context.Context, work []store.IndexWork) ([][]byte, error) {
	texts := make([][]meaning.Text, len(work))
	for i, w := range work {
		var err error
		if texts[i], err = ix.passages(ctx, w); err != nil {
			return nil, err
		}
	}
	closely, ok := ix.opt.Encoder.(CloseEncoder)
	if !ok {
		return ix.vectors(ctx, texts)
	}
	records := make([][]byte, len(work))
	for i := range texts {
		var err error
		if records[i], err = closely.Record(ctx, texts[i]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// vectors makes records of vectors alone, one after the other where a message has several, by asking once for all.
func (ix *Index) vectors(ctx context.Context, texts [][]meaning.Text) ([][]byte, error) {
	records := make([][]byte, len(texts))
	var all []string
	var of []int
	for i, list := range texts {
		for _, text := range list {
			all, of = append(all, text.Whole), append(of, i)
		}
	}
	if len(all) == 0 {
		return records, nil
	}
	made, err := ix.opt.Encoder.Vectors(ctx, all)
	if err != nil {
		return nil, err
	}
	for i, v := range made {
		records[of[i]] = append(records[of[i]], v...)
	}
	return records, nil
}

// passages are what of a message is embedded: its beginning, and of an answer with the mail that it answers also the
// answer alone. A message that is gone has none, nor one whose mailbox's key is lost: others' mail does not wait for
// it.
func (ix *Index) passages(ctx context.Context, w store.IndexWork) (texts []meaning.Text, err error) {
	var m mailbox.Message
	var c store.Content
	err = ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
		rows, err := r.MessagesAt(ctx, w.Mailbox, w.Seq)
		if err != nil || len(rows) == 0 {
			return cmp.Or(err, store.ErrNotFound)
		}
		m = rows[0]
		c, err = r.Content(ctx, m)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || mailbox.KindOf(err) == mailbox.KeyLost {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	leave, err := ix.opt.LargeTurn(ctx, mailbox.Message{Size: m.Size})
	if err != nil {
		return nil, err
	}
	defer leave()
	d, err := rawmail.Skim(c)
	if err != nil {
		return nil, nil // it cannot be read
	}
	whole := textOf(m.Subject, d.Text)
	if meaning.Says(whole.Whole) {
		texts = append(texts, whole)
	}
	answer, _ := reply.Text(reply.Mail{Text: d.Text, View: viewOf(&d), Plain: !d.TextFromHTML})
	if own := textOf(m.Subject, answer); answer != "" && own.Whole != whole.Whole && meaning.Says(own.Whole) {
		texts = append(texts, own)
	}
	return texts, nil
}

// viewOf is the HTML of a message as a person sees it, nil where there is none.
func viewOf(d *mailbox.Detail) *view.View {
	v, _ := d.View().(*view.View)
	if v == nil && d.HTML != "" {
		v = view.ReadString(d.HTML)
	}
	return v
}

func textOf(subject, text string) meaning.Text {
	return meaning.Text{Whole: meaning.Passage(subject, text), Lead: meaning.Lead(subject, text)}
}
