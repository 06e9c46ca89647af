package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// exported is a message as it was exported.
type exported struct{ subject, raw, cursor string }

// exportAll exports a mailbox, and calls between after each message.
func exportAll(k *kit, in service.Access, q service.ExportQuery, between func(n int)) (list []exported, err error) {
	k.Helper()
	e, err := k.svc.Export(k.Context(), in, q)
	k.works("Export", err)
	err = e.Each(func(m mailbox.Message, cursor string, raw io.Reader) error {
		b, err := io.ReadAll(raw)
		if err != nil {
			return err
		}
		list = append(list, exported{m.Subject, string(b), cursor})
		if between != nil {
			between(len(list))
		}
		return nil
	})
	return list, err
}

func subjectsOf(list []exported) string {
	var all []string
	for _, m := range list {
		all = append(all, m.subject)
	}
	return strings.Join(all, " ")
}

// An export has every message to the byte, the oldest first, and goes on after any of them, whatever is deleted.
func TestExport(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	var ids []mailbox.ID
	var raws []string
	for i := range 150 {
		raw := letter(fmt.Sprintf("m%d", i))
		if i == 70 {
			raw = mixed("m70", noise(2<<20))
		}
		raws = append(raws, raw)
		ids = append(ids, k.receive(raw, "own@example.test")[0].ID)
		k.receive(letter(fmt.Sprintf("other%d", i)), "other@example.test")
	}
	in := own.in(mailbox.ReadAttachment)
	all, err := exportAll(k, in, service.ExportQuery{}, func(n int) {
		if n == 1 {
			k.receive(letter("late"), "own@example.test")
		}
	})
	k.works("Each", err)
	k.same("messages", len(all), 150)
	for i, m := range all {
		if !strings.HasSuffix(m.raw, raws[i]) {
			t.Fatalf("message %d is %s with %d bytes", i, m.subject, len(m.raw))
		}
	}
	noted, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 1}})
	k.works("Audits", err)
	k.same("who exported", noted.Items[0].Actor, in.Caller.Key.ID.String())
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), ids[99]))
	rest, err := exportAll(k, in, service.ExportQuery{After: all[99].cursor}, func(n int) {
		if n == 1 {
			k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), ids[110]))
		}
	})
	k.works("Each", err)
	want := append(slices.Concat(all[100:110], all[111:]), exported{subject: "late"})
	k.same("the rest", subjectsOf(rest), subjectsOf(want))
	_, err = k.svc.Export(t.Context(), other.in(mailbox.ReadAttachment), service.ExportQuery{After: all[3].cursor})
	k.kind("a cursor of another mailbox", err, mailbox.Invalid, "invalid_after")
	_, err = k.svc.Export(t.Context(), in, service.ExportQuery{After: "nonsense"})
	k.kind("no cursor", err, mailbox.Invalid, "invalid_after")
}

// The rows say what comes, within what was asked for, and where to go on.
func TestExportParts(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	for i := range 10 {
		k.receive(letter(fmt.Sprintf("m%d", i)), "own@example.test")
	}
	in := own.in(mailbox.ReadAttachment)
	whole, err := exportAll(k, in, service.ExportQuery{}, nil)
	k.works("Each", err)
	size := int64(len(whole[0].raw))
	for _, tt := range []struct {
		query service.ExportQuery
		want  string
		more  bool
	}{
		{service.ExportQuery{Bytes: 1}, "m0", true},
		{service.ExportQuery{Bytes: 3 * size}, "m0 m1 m2", true},
		{service.ExportQuery{Messages: 2, After: whole[3].cursor}, "m4 m5", true},
		{service.ExportQuery{Messages: 2, After: whole[7].cursor}, "m8 m9", false},
		{service.ExportQuery{After: whole[9].cursor}, "", false},
	} {
		e, err := k.svc.Export(t.Context(), in, tt.query)
		k.works("Export", err)
		var rows, each []exported
		more, err := e.Rows(func(m mailbox.Message, cursor string) error {
			rows = append(rows, exported{m.Subject, "", cursor})
			return nil
		})
		k.works("Rows", err)
		k.same("more", more, tt.more)
		k.works("Each", e.Each(func(m mailbox.Message, cursor string, _ io.Reader) error {
			each = append(each, exported{m.Subject, "", cursor})
			return nil
		}))
		k.same("rows", subjectsOf(rows), tt.want)
		k.same("messages", fmt.Sprint(each), fmt.Sprint(rows))
	}
}

// Who may not read the mailbox any more does not read on.
func TestExportEnds(t *testing.T) {
	for name, end := range map[string]func(*kit, box){
		"revoked": func(k *kit, own box) {
			key := own.read().Caller.Key.ID
			k.works("revoke", k.svc.RevokeKey(k.Context(), k.operator(mailbox.Moderate, ""), key))
		},
		"deleted": func(k *kit, own box) {
			_, err := k.svc.DeleteMailbox(k.Context(), own.in(mailbox.DeleteMailbox))
			k.works("delete", err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newService(t)
			own := k.permanent("own")
			for i := range 200 {
				k.receive(letter(fmt.Sprintf("m%d", i)), "own@example.test")
			}
			got, err := exportAll(k, own.in(mailbox.ReadAttachment), service.ExportQuery{}, func(n int) {
				if n == 1 {
					end(k, own)
				}
			})
			k.kind("the end", err, mailbox.Unauthorized, "unauthorized")
			if len(got) > 64 {
				t.Errorf("%d messages were read", len(got))
			}
		})
	}
}

// A large message that is deleted while it is read ends there, and the export goes on.
func TestExportDeletedInTheMiddle(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(mixed("large", noise(4<<20)), "own@example.test")[0].ID
	k.receive(letter("next"), "own@example.test")
	e, err := k.svc.Export(t.Context(), own.in(mailbox.ReadAttachment), service.ExportQuery{})
	k.works("Export", err)
	var seen []string
	k.works("Each", e.Each(func(m mailbox.Message, _ string, raw io.Reader) error {
		seen = append(seen, m.Subject)
		if m.ID != id {
			return nil
		}
		_, err := io.CopyN(io.Discard, raw, 1000)
		k.works("read", err)
		k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), id))
		_, err = io.Copy(io.Discard, raw)
		k.kind("the rest", err, mailbox.NotFound, "not_found")
		return nil
	}))
	k.same("messages", seen, []string{"large", "next"})
}

// Exports work in turns, and nobody has one while a client is slow.
func TestExportTurns(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := own.in(mailbox.ReadAttachment)
	const clients = 10 // more than there are turns on any machine that runs tests on two processors
	hang, hung := make(chan struct{}), make(chan struct{}, clients)
	done := make(chan error, clients)
	for range clients {
		e, err := k.svc.Export(t.Context(), in, service.ExportQuery{})
		k.works("Export", err)
		go func() {
			slow := writerFunc(func(p []byte) (int, error) { hung <- struct{}{}; <-hang; return len(p), nil })
			done <- e.Work(slow, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err })
		}()
	}
	for range clients {
		<-hung // all of them stand still, and yet another one works
	}
	var got bytes.Buffer
	e, err := k.svc.Export(t.Context(), in, service.ExportQuery{})
	k.works("Export", err)
	k.works("Work", e.Work(&got, func(w io.Writer) error { _, err := io.WriteString(w, "all"); return err }))
	k.same("written", got.String(), "all")
	close(hang)
	for range clients {
		k.works("Work", <-done)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e, err = k.svc.Export(ctx, in, service.ExportQuery{})
	k.works("Export", err)
	err = e.Work(io.Discard, func(w io.Writer) error { cancel(); _, err := w.Write(nil); return err })
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a client that is gone: %v", err)
	}
}
