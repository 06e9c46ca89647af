package postgres

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/query"
)

// plan is how the server carries out a statement with any parameters, a step a line.
func plan(t *testing.T, db *DB, sql string) string {
	t.Helper()
	conn, err := db.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `SET plan_cache_mode = force_generic_plan`); err != nil {
		t.Fatal(err)
	}
	const name = "asked"
	sd, err := conn.Conn().Prepare(t.Context(), name, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	nulls := strings.TrimSuffix(strings.Repeat("NULL,", len(sd.ParamOIDs)), ",")
	if nulls != "" {
		nulls = "(" + nulls + ")"
	}
	rows, err := conn.Query(t.Context(), `EXPLAIN (COSTS OFF) EXECUTE `+name+nulls)
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for rows.Next() {
		var step string
		if err := rows.Scan(&step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Conn().Deallocate(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// What is asked often, or of large tables, goes by an index in its order: it reads the rows that it answers with and
// sorts none. The tables are empty, when a server that is left alone would choose to walk them.
func TestPlans(t *testing.T) {
	db := newStore(t, Options{})
	for _, c := range []struct {
		name string
		sql  string
		want []string // the indexes
		sort bool     // of no more rows than are answered
	}{
		{"mailbox at", mailboxAt, []string{"addresses_pkey", "mailboxes_pkey"}, false},
		{"lock", lockBox, []string{"counters_pkey"}, false},
		{"expired mailboxes", dollars(query.Expired), []string{"mailboxes_end"}, false},
		{"old keys", dollars(query.TrimKeys), []string{"keys_end"}, false},
		{"touched key", touchKey, []string{"keys_pkey", "keys_id_key"}, false},
		{"message", messageIn, []string{"messages_id"}, false},
		{"message of any mailbox", messageAny, []string{"messages_id"}, false},
		{"message that is answered", adopt, []string{"messages_id"}, false},
		{"newest of a thread", newestOf, []string{"messages_thread"}, false},
		{"merged thread", moveThread, []string{"messages_thread"}, false},
		{"length of a thread", countThread, []string{"messages_thread"}, false},
		{"thread", sampleThread, []string{"messages_thread"}, false},
		{"thread that is left", leaveThread, []string{"messages_thread", "messages_pkey"}, false},
		{"hook", hookIn, []string{"hooks_id", "hook_targets_pkey"}, false},
		{"duplicate", duplicate, []string{"refs_pkey", "messages_pkey"}, true},
		{"threads", threads, []string{"messages_pkey"}, false},
		{"thread's id", threadID, []string{"merged_id", "messages_thread", "messages_id"}, false},
		{"conversation", conversation, []string{"messages_thread", "messages_id"}, false},
		{"related", related, []string{"refs_pkey", "messages_pkey"}, false},
		{"events", eventsAfter, []string{"messages_pkey", "events_pkey", "messages_id"}, true},
		{"events until", eventsUntil, []string{"counters_pkey", "messages_pkey", "events_pkey"}, true},
		{"holdings", holdings, []string{"counters_pkey", "messages_pkey"}, false},
		{"last messages", lastMessages, []string{"messages_place", "mailboxes_pkey"}, false},
		{"last events", lastEvents, []string{"events_at", "mailboxes_pkey"}, false},
		{"old events", trimEvents, []string{"events_at", "events_pkey"}, false},
		{"to index", toIndex("messages"), []string{"messages_place"}, false},
		{"not indexed", notIndexed, []string{"messages_pkey"}, false},
		{"to forget", toForget, []string{"forgotten_pkey"}, false},
		{"claim", claimByDigest, []string{"claims_pkey", "claims_link_key"}, false},
		{"claims that wait", dollars(query.PendingClaims), []string{"claims_made"}, false},
		{"old claims", dollars(query.TrimClaims), []string{"claims_made"}, false},
		{"old addresses", trimRetired, []string{"retired_at"}, false},
		{"old quotas", dollars(query.TrimQuotas), []string{"quotas_pkey"}, false},
		{"destinations", destinations, []string{"deliveries_due"}, false},
		{"due deliveries", dueDeliveries, []string{"deliveries_due"}, false},
		{"old deliveries", oldDeliveries, []string{"deliveries_old"}, false},
		{"the queue", queueTried, []string{"deliveries_entered"}, true},
		{"what is kept in the queue", queueKept, []string{"deliveries_held_back"}, true},
		{"deliveries at the start", releaseAll, []string{"deliveries_leased"}, false},
		{"deliveries of a provider", deliveryByProvider, []string{"deliveries_provider"}, true},
		{"old tallies", trimTallies, []string{"tallies_until", "tallies_pkey"}, false},
		{"old sends", trimIdempotents, []string{"idempotents_at", "idempotents_pkey"}, false},
		{"suppressions", suppressions, []string{"suppressions_pkey"}, false},
		{"reviews", listReviews(store.ReviewFilter{}), []string{"reviews_n"}, false},
		{"reviews of a mailbox", listReviews(store.ReviewFilter{Mailbox: 1}), []string{"reviews_pkey"}, false},
		{"held reviews", listReviews(store.ReviewFilter{Status: mailbox.ReviewHeld}), []string{"reviews_held"}, false},
		{"held reviews of a mailbox", listReviews(store.ReviewFilter{Mailbox: 1, Status: mailbox.ReviewHeld}),
			[]string{"reviews_status"}, false},
		{"late reviews", expiredReviews, []string{"reviews_expiry"}, false},
		{"reviews that nobody was told of", unnoticed, []string{"reviews_unnoticed"}, false},
		{"those of a mailbox", unnoticedReviews, []string{"reviews_status"}, false},
		{"entries of a list", dollars(query.ListEntries), []string{"lists_pkey"}, false},
		{"entries with a pattern", listed, []string{"lists_pattern"}, true},
		{"quarantine", quarantineOf, []string{"quarantine_held"}, false},
		{"twin in quarantine", dollars(query.QuarantinedTwin), []string{"quarantine_digest"}, false},
		{"old quarantine", trimQuarantine, []string{"quarantine_end", "quarantine_pkey"}, false},
		{"due targets", dueTargets, []string{"hook_targets_due"}, false},
		{"next hook", nextHook, []string{"hook_targets_due"}, false},
		{"due hooks", dueFirst, []string{"hooks_due"}, false},
		{"hooks due again", dueAgain, []string{"hooks_again"}, false},
		{"held hooks", holdHooks, []string{"hooks_due"}, false},
		{"hooks put off", putOffHooks, []string{"hooks_due"}, false},
		{"settled target", settleTarget, []string{"hook_targets_pkey", "hooks_due"}, false},
		{"released hooks", releaseHooks, []string{"hooks_due"}, false},
		{"old hooks", trimHooks, []string{"hooks_at", "hooks_pkey"}, false},
		{"targets without hooks", trimTargets, []string{"hook_targets_pkey", "hooks_due"}, false},
		{"hooks", listHooks(store.HookFilter{}), []string{"hooks_pkey"}, false},
		{"hooks of a message", listHooks(store.HookFilter{Message: mailbox.NewID(time.Now())}),
			[]string{"hooks_message"}, false},
		{"missed hooks", listHooks(store.HookFilter{State: mailbox.HookFailed}), []string{"hooks_missed"}, false},
	} {
		t.Run(c.name, func(t *testing.T) { wantPlan(t, plan(t, db, c.sql), c.sort, c.want...) })
	}
	for i, sql := range purgeSteps {
		t.Run(fmt.Sprint("purge ", i), func(t *testing.T) { wantPlan(t, plan(t, db, sql), false) })
	}
}

func wantPlan(t *testing.T, got string, sort bool, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, " "+w+" ") && !strings.Contains(got, " "+w+"\n") && !strings.HasSuffix(got, " "+w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	got = strings.ReplaceAll(got, "Seq Scan on places", "") // one row
	if strings.Contains(got, "Seq Scan") || !sort && strings.Contains(got, "Sort") {
		t.Errorf("walks or sorts a table:\n%s", got)
	}
}

// A list of messages reads the keys between its two places, whatever else it asks for, and that of a thread those of
// the thread alone.
func TestListPlans(t *testing.T) {
	db := newStore(t, Options{})
	yes := true
	for i, f := range []store.MessageFilter{
		{},
		{After: 7, Before: 9},
		{After: 7, Code: true, Untaken: true, From: "ada"},
		{Thread: mailbox.NewID(time.Now()), Oldest: true},
		{After: 7, Before: 9, Direction: mailbox.Inbound, Label: "code", Since: time.Now(), Until: time.Now(),
			Seen:   &yes,
			Thread: mailbox.NewID(time.Now()), From: "ada", Code: true, Untaken: true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := plan(t, db, (&queries{}).listMessages(1, f).code)
			index := "messages_pkey"
			if !f.Thread.IsZero() {
				index = "messages_thread"
			}
			wantPlan(t, got, false, index)
			_, keys, _ := strings.Cut(got, "Index Cond: ")
			keys, _, _ = strings.Cut(keys, "\n")
			if !strings.Contains(keys, "(box = $1) AND (seq > $2) AND (seq < $3))") {
				t.Error(got)
			}
		})
	}
}
