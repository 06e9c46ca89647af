package sqlite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/query"
)

// plan is how SQLite carries out a statement, a step a line.
func plan(t *testing.T, sql string, bind func(*stmt)) string {
	t.Helper()
	var steps []string
	err := newDB(t).View(t.Context(), func(r store.Reader) error {
		b := r.(*queries).sql(`EXPLAIN QUERY PLAN ` + sql)
		bind(b)
		return b.each(func(r row) error { steps = append(steps, r.Text(3)); return nil })
	})
	if err != nil {
		t.Errorf("%s: %v", sql, err)
	}
	return strings.Join(steps, "\n")
}

// A statement is planned once, whatever its parameters are.
func TestPlannedOnce(t *testing.T) {
	err := newDB(t).Ask(t.Context(), func(r store.Reader) error {
		q := r.(*queries)
		planned := 0
		err := q.conn.SetAuthorizer(sqlite.AuthorizeFunc(func(sqlite.Action) sqlite.AuthResult {
			planned++
			return sqlite.AuthResultOK
		}))
		if err != nil {
			return err
		}
		first := 0
		for i := range 100 {
			_, _ = q.MailboxAt(t.Context(), fmt.Sprintf("robin%d@example.com", i)) // a join
			_, _ = q.Content(t.Context(), mailbox.Message{Mailbox: 1, Seq: int64(i)})
			_, _ = q.Mailboxes(t.Context(), store.MailboxFilter{Limit: i + 1}) // a limit
			if i == 0 {
				first = planned
			}
		}
		if planned != first || first == 0 {
			t.Errorf("planned in %d steps, %d of them at first", planned, first)
		}
		return q.conn.SetAuthorizer(nil)
	})
	if err != nil {
		t.Error(err)
	}
}

// A purge must not walk a mailbox's rows once for each step: that is the square of a large mailbox.
func TestPurgePlans(t *testing.T) {
	for _, sql := range purgeSteps {
		if got := plan(t, sql, func(b *stmt) { b.int(1).int(2).int(3) }); strings.Contains(got, "SCAN") {
			t.Errorf("%s:\n%s", sql, got)
		}
	}
}

// What is asked often, or of large tables, reads the rows that it answers with and sorts none.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		name string
		sql  string
		n    int      // parameters
		want []string // how the tables are searched
	}{
		{"events", eventsAfter, 3, []string{"MERGE (UNION ALL)", "messages USING INTEGER PRIMARY KEY (rowid>? AND " +
			"rowid<?)",
			"events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", "messages USING INDEX messages_id (id=?)"}},
		{"first event", eventFrom, 2, []string{"MERGE (UNION ALL)", "messages USING INTEGER PRIMARY KEY (rowid>? AND " +
			"rowid<?)",
			"events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"}},
		{"days", countSpans, 3, []string{"messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"}},
		{"holding", holding, 3, []string{"counters USING INTEGER PRIMARY KEY (rowid=?)",
			"messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"}},
		{"old events", trimEvents, 2, []string{"events USING COVERING INDEX events_at (at<?)"}},
		{"old keys", query.TrimKeys, 1, []string{"keys USING INDEX keys_end (expires_at>? AND expires_at<?)"}},
		{"claims that wait", query.PendingClaims, 3, []string{"claims USING INDEX claims_made (created_at>?)"}},
		{"old claims", query.TrimClaims, 1, []string{"claims USING INDEX claims_made (created_at<?)"}},
		{"old addresses", trimRetired, 2, []string{"retired USING COVERING INDEX retired_at (at<?)"}},
		{"old quotas", query.TrimQuotas, 1, []string{"quotas USING PRIMARY KEY (day<?)"}},
		{"due deliveries", dueDeliveries, 3, []string{"deliveries USING INDEX deliveries_due (destination=? AND " +
			"next_at>? AND next_at<?)"}},
		{"old deliveries", oldDeliveries, 2, []string{"deliveries USING INDEX deliveries_old (queued_at<?)"}},
		{"the queue", queueTried, 7, []string{"deliveries USING INDEX deliveries_entered (entered_at>?)"}},
		{"what is kept in the queue", queueKept, 7, []string{
			"deliveries USING INDEX deliveries_on_hold (entered_at>?)"}},
		{"deliveries at the start", releaseAll, 1, []string{"deliveries USING INDEX deliveries_leased (leased=?)"}},
		{"deliveries of a provider", deliveryByProvider, 1,
			[]string{"deliveries USING INDEX deliveries_provider (provider=?)"}},
		{"old tallies", trimTallies, 2, []string{"tallies USING COVERING INDEX tallies_until (until<?)"}},
		{"old sends", trimIdempotents, 2, []string{"idempotents USING COVERING INDEX idempotents_at (at<?)"}},
		{"claim", claimByDigest, 1, []string{"(session=?)", "(link=?)"}},
		{"expired mailboxes", query.Expired, 2, []string{"mailboxes_end (expires_at>? AND expires_at<?)"}},
		{"due targets", dueTargets, 3, []string{"hook_targets USING INDEX hook_targets_due (next_at>? AND next_at<?)"}},
		{"next hook", nextHook, 1, []string{"hook_targets USING COVERING INDEX hook_targets_due (next_at>?)"}},
		{"due hooks", dueFirst, 3, []string{"h USING INDEX hooks_due (target=? AND next_at>? AND next_at<?)"}},
		{"hooks due again", dueAgain, 3, []string{"h USING INDEX hooks_again (target=? AND next_at>? AND next_at<?)"}},
		{"held hooks", holdHooks, 1, []string{"hooks USING INDEX hooks_due (target=? AND next_at>?)"}},
		{"hooks put off", putOffHooks, 3, []string{"hooks USING INDEX hooks_due (target=? AND next_at>? AND next_at<?)"}},
		{"settled target", settleTarget, 1, []string{"hooks USING COVERING INDEX hooks_due (target=? AND next_at>?)"}},
		{"released hooks", releaseHooks, 1, []string{"t USING COVERING INDEX hook_targets_due (next_at>?)",
			"h USING INDEX hooks_due (target=? AND next_at>?)"}},
		{"target without hooks", trimTarget, 1, []string{"hooks USING COVERING INDEX hooks_due (target=?)"}},
		{"hooks", listHooks(store.HookFilter{}), 7, []string{"h USING INDEX hooks_box (box=? AND n<?)"}},
		{"hooks of a message", listHooks(store.HookFilter{Message: mailbox.NewID(time.Now())}), 7,
			[]string{"h USING INDEX hooks_message (message=? AND n<?)"}},
		{"missed hooks", listHooks(store.HookFilter{State: mailbox.HookFailed}), 7,
			[]string{"h USING INDEX hooks_missed (box=? AND n<?)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := plan(t, c.sql, func(b *stmt) {
				for i := range c.n {
					b.int(int64(i + 1))
				}
			})
			wantPlan(t, got, c.want...)
		})
	}
}

func wantPlan(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	got = strings.ReplaceAll(got, "SCAN json_each", "") // a parameter
	if strings.Contains(got, "SCAN") || strings.Contains(got, "TEMP B-TREE FOR ORDER") {
		t.Errorf("walks or sorts a table:\n%s", got)
	}
}

// A list of messages reads the keys between its two places, whatever else it asks for, and that of a thread those of
// the thread alone.
func TestListPlans(t *testing.T) {
	yes := true
	for i, f := range []store.MessageFilter{
		{},
		{After: 7},
		{After: 7, Before: 9},
		{After: 7, Code: true, Untaken: true, From: "ada"},
		{Direction: mailbox.Outbound},
		{After: 7, Before: 9, Oldest: true, Direction: mailbox.Outbound},
		{Thread: mailbox.NewID(time.Now()), Oldest: true},
		{After: 7, Before: 9, Direction: mailbox.Inbound, Label: "code", Since: time.Now(), Until: time.Now(),
			Seen:   &yes,
			Thread: mailbox.NewID(time.Now()), From: "ada", Code: true, Untaken: true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f.Limit = 50
			sql, bind := listMessages(1, f)
			want := "SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
			if f.Direction == mailbox.Outbound {
				want = "SEARCH messages USING INDEX messages_sent (pk>? AND pk<?)"
			}
			if !f.Thread.IsZero() {
				want = "SEARCH messages USING INDEX messages_thread (thread=? AND pk>? AND pk<?)"
			}
			wantPlan(t, plan(t, sql, bind), want)
		})
	}
}
