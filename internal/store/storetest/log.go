package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var logTests = []test{
	{"a reject is found whole", func(k kit) {
		full := mailbox.Reject{At: noon, Stage: "rcpt", Sender: "s@x", Recipient: "No+Body@X.org",
			Address: "nobody@x.org",
			Remote:  "192.0.2.1:25", Reply: "550 5.1.1 No such mailbox"}
		k.reject(10, full)
		got := k.rejects(store.LogFilter{Limit: 10})
		if len(got) != 1 {
			k.Fatalf("%d entries", len(got))
		}
		k.same("reject", got[0].Value, full)
	}},
	{"rejects keep the newest", func(k kit) {
		reject := func(from, to int) {
			var rs []mailbox.Reject
			for i := from; i <= to; i++ {
				rs = append(rs, mailbox.Reject{At: noon, Reply: fmt.Sprint(i)})
			}
			k.reject(5, rs...)
		}
		replies := func() (out []string) {
			for _, e := range k.rejects(store.LogFilter{Limit: 100}) {
				out = append(out, e.Value.Reply)
			}
			return out
		}
		reject(1, 3)
		k.same("below", replies(), []string{"3", "2", "1"})
		reject(4, 5)
		k.same("full", replies(), []string{"5", "4", "3", "2", "1"})
		reject(6, 6)
		k.same("one more", replies(), []string{"6", "5", "4", "3", "2"})
		reject(7, 20)
		k.same("many more than it keeps", replies(), []string{"20", "19", "18", "17", "16"})
		k.reject(2)
		k.same("kept less", replies(), []string{"20", "19"})
	}},
	{"rejects filter", func(k kit) {
		for i, a := range []string{"a@x", "b@x", "a@x b@x", "xa@x", "", "a@x", "'%_", "A@x"} {
			k.reject(100, mailbox.Reject{At: noon, Address: a, Reply: fmt.Sprint(i)})
		}
		all := k.rejects(store.LogFilter{Limit: 100})
		for _, c := range []struct {
			name string
			f    store.LogFilter
			want string
		}{
			{"all", store.LogFilter{}, "76543210"},
			{"one address", store.LogFilter{Addresses: []string{"a@x"}}, "50"},
			{"two addresses", store.LogFilter{Addresses: []string{"a@x", "b@x"}}, "510"},
			{"odd address", store.LogFilter{Addresses: []string{"'%_"}}, "6"},
			{"unknown address", store.LogFilter{Addresses: []string{"%"}}, ""},
			{"limit", store.LogFilter{Limit: 2}, "76"},
			{"offset", store.LogFilter{Limit: 2, Offset: 1}, "65"},
			{"before", store.LogFilter{Before: all[2].Number}, "43210"},
			{"address and before", store.LogFilter{Addresses: []string{"a@x"}, Before: all[2].Number}, "0"},
		} {
			if c.f.Limit == 0 {
				c.f.Limit = 100
			}
			got := ""
			for _, e := range k.rejects(c.f) {
				got += e.Value.Reply
			}
			if got != c.want {
				k.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}},
	{"audits", func(k kit) {
		var want []mailbox.Audit
		for i := range 5 {
			a := mailbox.Audit{At: noon.Add(time.Duration(i) * time.Second), Action: "read mail",
				Mailbox: fmt.Sprintf("a%d@x", i%2), Note: fmt.Sprint(i), Actor: "operator"}
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.AppendAudit(ctx, a) })
			want = append([]mailbox.Audit{a}, want...)
		}
		audits := func(f store.LogFilter) (out []mailbox.Audit, numbers []int64) {
			for _, e := range must(k, func(ctx context.Context, r store.Reader) ([]store.Entry[mailbox.Audit], error) {
				return r.Audits(ctx, f)
			}) {
				out, numbers = append(out, e.Value), append(numbers, e.Number)
			}
			return out, numbers
		}
		got, numbers := audits(store.LogFilter{Limit: 10})
		var link mailbox.AuditLink
		for i := len(want) - 1; i >= 0; i-- { // as they were put into the chain
			want[i] = link.Join(want[i])
			link = want[i].Link()
		}
		k.same("all", got, want)
		for i := 1; i < len(numbers); i++ {
			if numbers[i] >= numbers[i-1] {
				k.Errorf("numbers %v", numbers)
			}
		}
		got, _ = audits(store.LogFilter{Limit: 10, Before: numbers[1]})
		k.same("before", got, want[2:])
		got, _ = audits(store.LogFilter{Limit: 1, Offset: 1})
		k.same("offset", got, want[1:2])
		got, _ = audits(store.LogFilter{Limit: 10, Addresses: []string{"a1@x"}})
		k.same("of a mailbox", got, []mailbox.Audit{want[1], want[3]})
	}},
	{"the chain of audits", func(k kit) {
		facts := mailbox.AuditFacts{Name: "Kim", Role: mailbox.Admin, Credential: "id", Client: "192.0.2.1",
			Request: "r"}
		k.update(func(ctx context.Context, tx store.Tx) error {
			for i := range 4 {
				a := mailbox.Audit{At: noon.Add(time.Duration(i) * time.Hour), Action: "x", AuditFacts: facts}
				if err := tx.AppendAudit(ctx, a); err != nil {
					return err
				}
			}
			return nil
		})
		read := func() (check mailbox.AuditCheck, ends store.AuditEnds, number int64) {
			ends = must(k, func(ctx context.Context, r store.Reader) (store.AuditEnds, error) {
				return r.AuditEnds(ctx)
			})
			check.Last = ends.Base
			for _, e := range must(k, func(ctx context.Context, r store.Reader) ([]store.Entry[mailbox.Audit], error) {
				return r.AuditsAfter(ctx, 0, 100)
			}) {
				check.Add(e.Value)
				k.same("facts", e.Value.AuditFacts, facts)
				number = e.Number
			}
			check.End(ends.Head)
			return check, ends, number
		}
		check, ends, number := read()
		if check.Broken != nil || check.Entries != 4 || ends.Head.Seq != 4 || ends.Base.Seq != 0 {
			k.Errorf("whole: %+v, %+v", check.Broken, ends)
		}
		rest := must(k, func(ctx context.Context, r store.Reader) ([]store.Entry[mailbox.Audit], error) {
			return r.AuditsAfter(ctx, number, 100)
		})
		k.same("after the newest", len(rest), 0)
		k.update(func(ctx context.Context, tx store.Tx) error {
			removed, more, err := tx.TrimAudits(ctx, noon.Add(2*time.Hour), 100)
			if removed != 2 || more {
				k.Errorf("trimmed %d, more %v", removed, more)
			}
			return err
		})
		check, ends, _ = read()
		if check.Broken != nil || check.Entries != 2 || ends.Base.Seq != 2 {
			k.Errorf("trimmed: %+v, %+v", check.Broken, ends)
		}
	}},
}

func (k kit) reject(keep int, rs ...mailbox.Reject) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.AppendRejects(ctx, rs, keep) })
}

func (k kit) rejects(f store.LogFilter) []store.Entry[mailbox.Reject] {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]store.Entry[mailbox.Reject], error) {
		return r.Rejects(ctx, f)
	})
}
