package move

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/datadir/datadirtest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// deployment is a data folder with some mail in it.
type deployment struct{ *datadirtest.Folder }

// newMove is a deployment with something of many kinds, which is not being served, and the settings to move it with.
func newMove(t *testing.T) (deployment, config.Config) {
	t.Helper()
	d := deployment{datadirtest.New(t)}
	cfg := d.Config
	cfg.Database.URL, cfg.Secret = mailbox.Secret(pgtest.URL(t)), "the root"
	for i := range 9 {
		d.store(fmt.Sprintf("mail %d", i), i%4 == 0)
	}
	d.Must(d.DB.Update(t.Context(), d.more))
	d.Must(d.DB.Close())
	return d, cfg
}

// more adds what mail alone does not bring.
func (d deployment) more(tx store.Tx) error {
	ctx := d.T.Context()
	hook, err := tx.HookTarget(ctx, d.Box, "https://example.org/\x00")
	errs := []error{err}
	for i := range 3 {
		event := mailbox.Event{Mailbox: d.Box, Kind: mailbox.MessageDelivered, Message: mailbox.ID{1},
			Result: mailbox.Result{Recipient: "\xff"}}
		errs = append(errs, tx.AppendEvent(ctx, &event),
			tx.InsertHook(ctx, &mailbox.Hook{ID: mailbox.ID{byte(i + 1)}, Mailbox: d.Box, Target: hook.Number,
				Event: event.Number, State: mailbox.HookDelivered}),
			tx.InsertHook(ctx, &mailbox.Hook{ID: mailbox.ID{byte(i + 1), 1}, Mailbox: d.Other, Target: hook.Number,
				State: mailbox.HookDelivered}),
			tx.AppendAudit(ctx, mailbox.Audit{Action: "x\x00\xff"}), tx.InsertContact(ctx, d.Box,
				fmt.Sprintf("%d\x00@x", i), i == 1),
			tx.InsertReview(ctx, mailbox.Review{Mailbox: d.Box, Message: mailbox.ID{byte(i + 1), 9}, Version: 2,
				Status: mailbox.ReviewHeld, Reasons: []string{"one\x00", "two"}, About: mailbox.ID{3}}),
			tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: d.Box, Address: fmt.Sprint(i)}),
			tx.AppendHistory(ctx, d.Box, int64(i+1), mailbox.HistoryEntry{Kind: mailbox.HistoryRead,
				Actor: fmt.Sprint(i)}, 10),
			tx.PutListed(ctx, mailbox.Listed{Mailbox: d.Box, List: mailbox.SendBlock,
				Pattern: mailbox.Pattern(fmt.Sprint(i))}),
			tx.PutListed(ctx, mailbox.Listed{List: mailbox.SendAllow, Pattern: mailbox.Pattern(fmt.Sprint(i))}),
			tx.InsertQuarantined(ctx, &store.Quarantined{ID: mailbox.ID{byte(i + 1), 2}, Mailbox: d.Box, Size: 7,
				ExpiresAt: time.UnixMilli(9), Digest: mailbox.Digest{1}, Head: []byte("\x00\xff")},
				store.Content{Packed: []byte("\xff\x00")}))
	}
	gone, err := tx.InsertMailbox(ctx, mailbox.Mailbox{Address: "gone@x.org"})
	errs = append(errs, err, tx.AppendEvent(ctx, &mailbox.Event{Mailbox: gone}), tx.RemoveMailbox(ctx, gone),
		tx.AppendRejects(ctx, make([]mailbox.Reject, 4), 1))
	return errors.Join(errs...)
}

// store stores a message, with its bytes in a blob or in its row.
func (d deployment) store(subject string, large bool) {
	d.T.Helper()
	m := mailbox.Message{ID: mailbox.ID([]byte(fmt.Sprintf("%-16s", subject))), Mailbox: d.Box,
		Subject: subject + "\x00\xff", Labels: []string{"own"},
		From: mailbox.Address{Address: "ada@example.org", Name: "ÄDA"}}
	c := store.Content{Packed: []byte(subject)}
	if large {
		c.Blob = fmt.Sprintf("%d/%x", d.Box, m.ID[:])
		draft, err := d.Blobs.Create(d.T.Context())
		d.Must(err)
		_, err = draft.Write(bytes.Repeat([]byte(subject), 100_000))
		d.Must(err)
		d.Must(draft.Commit(d.T.Context(), c.Blob))
	}
	d.Must(d.DB.Update(d.T.Context(), func(tx store.Tx) error { return tx.InsertMessage(d.T.Context(), &m, c) }))
}

func silent(Progress) {}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// checkMoved looks at a store that everything was moved to.
func checkMoved(t *testing.T, d deployment, cfg config.Config) {
	t.Helper()
	here, err := sqlite.Open(filepath.Join(d.Config.DataDir, datadir.Database))
	d.Must(err)
	defer here.Close()
	there, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{})
	d.Must(err)
	defer there.Close()
	want, got := facts(t, here, d), facts(t, there, d)
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("was %s\nis  %s", want[i], got[i])
		}
	}
	if len(want) != len(got) || len(want) < 20 {
		t.Errorf("%d facts, %d before", len(got), len(want))
	}
	newFacts := func(db store.Store) (list []string) {
		d.Must(db.Update(t.Context(), func(tx store.Tx) error { return next(t.Context(), tx, d, &list) }))
		return list
	}
	began := time.Now().UnixMilli()
	want, got = newFacts(here), newFacts(there)
	if !slices.Equal(want[1:], got[1:]) {
		t.Errorf("new things are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Somebody may have gone on with the folder since.
	if number, err := strconv.ParseInt(got[0], 10, 64); err != nil || number < began-time.Hour.Milliseconds() {
		t.Errorf("the next event has the number %s, want one as high as the time", got[0])
	}
}

// facts are what a store says, as far as it does not depend on which store it is.
func facts(t *testing.T, db store.Store, d deployment) (list []string) {
	t.Helper()
	add := func(v ...any) { list = append(list, fmt.Sprintf("%q", fmt.Sprintf("%+v", v))) }
	d.Must(db.View(t.Context(), func(r store.Reader) error {
		ctx := t.Context()
		events, err := r.Events(ctx, d.Box, 0, 100)
		for _, e := range events {
			add(e.Number, e.Kind, e.Message, e.Result, e.Mail != nil)
		}
		found, err2 := r.Messages(ctx, d.Box, store.MessageFilter{From: "äda", Limit: 100})
		for _, m := range found {
			c, err := r.Content(ctx, m)
			add(m, c, err)
		}
		work, err3 := r.ToIndex(ctx, store.Places{0: 0}, 100)
		for i, w := range work {
			add("work", i, w.Mailbox, w.Seq)
		}
		fresh, err4 := r.NotIndexed(ctx, d.Box, work[len(work)-3].Place, 100)
		add("not indexed", len(fresh))
		for _, num := range []mailbox.Num{d.Box, d.Other} {
			hooks, err := r.Hooks(ctx, num, store.HookFilter{Limit: 100})
			add(hooks, err)
		}
		audits, err5 := r.Audits(ctx, store.LogFilter{Limit: 100})
		add(audits)
		suppressed, err6 := r.Suppressions(ctx, d.Box, store.SuppressionFilter{Limit: 100})
		add(suppressed)
		listed, err8 := r.Listed(ctx, d.Box, []mailbox.Pattern{"0", "1"})
		slices.SortFunc(listed, func(a, b mailbox.Listed) int { return cmp.Compare(a.Number, b.Number) })
		add(listed)
		kept, err9 := r.Quarantine(ctx, d.Box, store.QuarantineFilter{Limit: 10})
		for _, m := range kept {
			c, err := r.QuarantinedContent(ctx, d.Box, m.ID)
			add(m, c, err)
		}
		history, err10 := r.History(ctx, d.Box, 2)
		add(history)
		purging, err7 := r.Purging(ctx)
		add("purging", purging)
		return errors.Join(err, err2, err3, err4, err5, err6, err7, err8, err9, err10)
	}))
	return list
}

// next makes new things, whose numbers must go on after those that were given.
func next(ctx context.Context, tx store.Tx, d deployment, list *[]string) error {
	event := mailbox.Event{Mailbox: d.Box, Message: mailbox.ID{9}}
	errs := []error{tx.AppendEvent(ctx, &event)}
	num, err := tx.InsertMailbox(ctx, mailbox.Mailbox{Address: "gone@x.org"})
	base, _, err2 := tx.LastEvent(ctx, num)
	first, err3 := tx.HookTarget(ctx, d.Box, "https://example.org/new")
	errs = append(errs, err, err2, err3, tx.AppendRejects(ctx, make([]mailbox.Reject, 1), 10),
		tx.AppendAudit(ctx, mailbox.Audit{}))
	rejects, err4 := tx.Rejects(ctx, store.LogFilter{Limit: 1})
	audits, err5 := tx.Audits(ctx, store.LogFilter{Limit: 1})
	hook := mailbox.Hook{ID: mailbox.ID{77}, Mailbox: d.Box, Target: first.Number}
	errs = append(errs, err4, err5, tx.InsertHook(ctx, &hook))
	*list = append(*list, fmt.Sprint(event.Number), fmt.Sprint("mailbox ", num), fmt.Sprint("base ", base),
		fmt.Sprint("target ", first.Number),
		fmt.Sprint("reject ", rejects[0].Number), fmt.Sprint("audit ", audits[0].Number))
	return errors.Join(errs...)
}
