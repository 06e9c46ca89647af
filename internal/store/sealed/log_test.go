package sealed_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/sealed"
)

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// logs stores one row of everything that is noted about other people, with a word in each, and returns what is read of
// it.
func logs(t *testing.T, db store.Store, m mailbox.Message, word string) []string {
	t.Helper()
	ctx, num := t.Context(), m.Mailbox
	to, slot := word+"@"+word+".example", int64(len(word))
	hook := mailbox.Hook{ID: mailbox.ID{9, byte(len(word))}, Mailbox: num, Message: m.ID, Kind: mailbox.MessageSent,
		At: noon, State: mailbox.HookPending, NextAt: noon, Body: []byte(word),
		Log: []mailbox.HookAttempt{{At: noon, Status: 500, Error: "It failed.", Response: word}}}
	delivery := mailbox.Delivery{Mailbox: num, Message: m.ID, Seq: m.Seq, N: len(word), Recipient: to,
		Destination: word + ".example", Status: mailbox.Queued, QueuedAt: noon, NextAt: noon}
	err := db.Update(ctx, func(tx store.Tx) (err error) {
		target, err := tx.HookTarget(ctx, num, "https://hook.example")
		hook.Target = target.Number
		answered := delivery
		answered.Code, answered.Text, answered.Host, answered.Provider, answered.TriedAt = 451, word+" is busy",
			"mx."+word+".example", word+"-id", noon
		entry := mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryApproved, Actor: mailbox.ReviewerByMail + to,
			HistoryFacts: mailbox.HistoryFacts{Recipient: to, Answer: word}}
		review := mailbox.Review{Mailbox: num, Message: mailbox.ID{7, byte(len(word))}, Status: mailbox.ReviewHeld,
			Reasons: []string{to + " is new.", "So is " + word + "."}, CreatedAt: noon, ExpiresAt: noon}
		decided := review
		decided.By, decided.Note = mailbox.ReviewerByMail+to, word
		return errors.Join(err, tx.InsertDelivery(ctx, delivery), tx.UpdateDelivery(ctx, answered),
			tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: num, Address: to, Reason: "bounce", Detail: word,
				At: noon}),
			tx.PutListed(ctx, mailbox.Listed{Mailbox: num, List: mailbox.SendAllow, Pattern: mailbox.Pattern(to),
				Note: word, CreatedAt: noon}),
			tx.AppendRejects(ctx, []mailbox.Reject{{At: noon, Stage: "rcpt", Sender: to,
				Recipient: "box+" + word + "@x.org", Address: "logs@x.org", Remote: word, Reply: "550 " + word}}, 100),
			tx.InsertReview(ctx, review), tx.UpdateReview(ctx, decided),
			tx.AppendHistory(ctx, num, m.Seq, entry, 100),
			tx.AppendEvent(ctx, &mailbox.Event{Mailbox: num, Kind: mailbox.MessageBounced, Message: m.ID, At: noon,
				Result: mailbox.Result{Recipient: to, Status: "bounced", Reason: word}}),
			tx.InsertHook(ctx, &hook), tx.UpdateHook(ctx, hook),
			tx.Count(ctx, num, "peer "+to, slot, noon),
			tx.SetPace(ctx, num, mailbox.Pace{At: 7, To: map[string]float64{to: 2}}),
			tx.InsertIdempotent(ctx, mailbox.Idempotent{Mailbox: num, Key: [32]byte{byte(len(word))},
				MessageID: word + "@x.example", At: noon}))
	})
	if err != nil {
		t.Fatal(err)
	}
	return told(t, db, m, word)
}

// told is what is read of what logs stored.
func told(t *testing.T, db store.Store, m mailbox.Message, word string) (lines []string) {
	t.Helper()
	ctx, num, to := t.Context(), m.Mailbox, word+"@"+word+".example"
	add := func(what string, v any, err error) { lines = append(lines, fmt.Sprintf("%s: %+v, %v", what, v, err)) }
	err := db.View(ctx, func(r store.Reader) error {
		d, err := r.Delivery(ctx, num, m.Seq, len(word))
		add("delivery", d, err)
		due, err := r.DueDeliveries(ctx, word+".example", noon, 9)
		add("due", due, err)
		destinations, err := r.Destinations(ctx)
		add("destinations", destinations, err)
		byProvider, err := r.DeliveryByProvider(ctx, word+"-id")
		add("provider", byProvider, err)
		sums, err := r.QueueSums(ctx, 9)
		add("sums", sums, err)
		s, err := r.Suppression(ctx, num, to)
		s.Number = 0
		add("suppression", s, err)
		listed, err := r.Listed(ctx, num, []mailbox.Pattern{mailbox.Pattern(to)})
		for i := range listed {
			listed[i].Number = 0
		}
		add("listed", listed, err)
		rejects, err := r.Rejects(ctx, store.LogFilter{Addresses: []string{"logs@x.org"}, Limit: 1})
		for i := range rejects {
			rejects[i].Number = 0
		}
		add("rejects", rejects, err)
		v, err := r.Review(ctx, num, mailbox.ID{7, byte(len(word))})
		v.Number = 0
		add("review", v, err)
		history, err := r.History(ctx, num, m.Seq)
		add("history", history, err)
		events, err := r.Events(ctx, num, 0, 99)
		for _, e := range events {
			add("event", e.Result, err)
		}
		h, err := r.Hook(ctx, num, mailbox.ID{9, byte(len(word))})
		add("hook", fmt.Sprintf("%s %+v", h.Body, h.Log), err)
		n, err := r.Tally(ctx, num, "peer "+to, int64(len(word)))
		add("tally", n, err)
		p, err := r.Pace(ctx, num)
		add("pace", p, err)
		i, err := r.Idempotent(ctx, num, [32]byte{byte(len(word))})
		add("idempotent", i.MessageID, err)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// What is noted about those whom a mailbox has to do with is read as it was, stands in no row in clear, and cannot be
// read when the mailbox's key was destroyed. What was noted before there was encryption is read beside it.
func TestLogs(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (in store.Store, stored func() []byte){
		"sqlite": func(t *testing.T) (store.Store, func() []byte) {
			dir := t.TempDir()
			return openSQLite(t, dir), func() (all []byte) {
				for _, name := range []string{"mailkin.db", "mailkin.db-wal"} {
					b, err := os.ReadFile(filepath.Join(dir, name))
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, b...)
				}
				return all
			}
		},
		"postgres": func(t *testing.T) (store.Store, func() []byte) {
			url := pgtest.URL(t)
			db, err := postgres.Open(t.Context(), url, postgres.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			return db, func() []byte { return dump(t, url) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			in, stored := open(t)
			m := insert(t, in, 1, "logs", nil)
			before := logs(t, in, m, "early")
			ring := newRing(t, t.TempDir())
			db := sealed.New(in, ring)
			if got := told(t, db, m, "early"); !slices.Equal(got, before) {
				t.Errorf("from before there was encryption:\n%s\n%s", strings.Join(got, "\n"),
					strings.Join(before, "\n"))
			}
			got := logs(t, db, m, "secretly")
			for _, line := range got {
				if strings.HasSuffix(line, "not found") || !strings.Contains(line, "secretly") &&
					!strings.HasPrefix(line, "tally: 1") && !strings.HasPrefix(line, "event: {Recipient: ") &&
					!strings.Contains(line, "early") {
					t.Errorf("read %s", line)
				}
			}
			if all := stored(); !bytes.Contains(all, []byte("early@early.example")) {
				t.Error("the test does not see what is stored")
			} else if at := bytes.Index(all, []byte("secretly")); at >= 0 {
				t.Errorf("stored in clear: %q", all[max(0, at-100):min(len(all), at+100)])
			}
			if err := ring.Shred(t.Context(), m.Mailbox); err != nil {
				t.Fatal(err)
			}
			for _, line := range told(t, sealed.New(in, ring), m, "secretly") {
				if strings.Contains(line, "secretly") {
					t.Errorf("after its key: %s", line)
				}
			}
		})
	}
}

// dump returns all rows of a database, with the bytes in them.
func dump(t *testing.T, url string) (all []byte) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	tables, err := conn.Query(t.Context(), `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename)
		FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(tables, pgx.RowTo[string])
	for _, table := range list {
		var rows []string
		if err == nil {
			found, asked := conn.Query(t.Context(), `SELECT r::text FROM `+table+` r`)
			if err = asked; err == nil {
				rows, err = pgx.CollectRows(found, pgx.RowTo[string])
			}
		}
		for _, row := range rows {
			all = append(all, row...)
			for part := range strings.SplitSeq(row, `\x`) {
				end := strings.IndexFunc(part, func(r rune) bool {
					return !strings.ContainsRune("0123456789abcdef", r)
				})
				if end < 0 {
					end = len(part)
				}
				if b, err := hex.DecodeString(part[:end]); err == nil {
					all = append(append(all, ' '), b...)
				}
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A delivery of a mailbox whose key was destroyed leaves the queue, though it does not say where it goes.
func TestDeliveryWithoutKey(t *testing.T) {
	dir := t.TempDir()
	ring := newRing(t, dir)
	db := sealed.New(openSQLite(t, dir), ring)
	m := insert(t, db, 1, "logs", nil)
	logs(t, db, m, "secretly")
	if err := ring.Shred(t.Context(), m.Mailbox); err != nil {
		t.Fatal(err)
	}
	db = sealed.New(db.Store, ring) // it knows no names
	err := db.Update(t.Context(), func(tx store.Tx) error {
		all, err := tx.Destinations(t.Context())
		if err != nil || len(all) != 1 {
			return fmt.Errorf("destinations %v, %w", all, err)
		}
		due, err := tx.DueDeliveries(t.Context(), all[0].Name, noon, 9)
		if err != nil || len(due) != 1 || due[0].Recipient != "" {
			return fmt.Errorf("due %+v, %w", due, err)
		}
		due[0].NextAt, due[0].Text = time.Time{}, "words"
		if err := tx.UpdateDelivery(t.Context(), due[0]); err != nil {
			return err
		}
		if all, err = tx.Destinations(t.Context()); len(all) > 0 {
			t.Errorf("afterwards %v", all)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := ring.Hash(t.Context(), m.Mailbox, "x"); !errors.Is(err, seal.ErrShredded) {
		t.Errorf("the key: %v", err)
	}
}
