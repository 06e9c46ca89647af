// Package storetest is the one suite that every store must pass. It checks the contract of package store from the
// outside: what a store promises, not how it keeps it.
//
// A store's own tests call Run with a function that opens an empty store. A change of the contract begins here with the
// case that fails.
package storetest

import (
	"context"
	"testing"

	"github.com/mailkin/mailkin/internal/store"
)

// Run checks a store. open returns an empty one that is closed when its test ends.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	runGroups(t, []group[kit]{
		{"Update", updateTests},
		{"View", viewTests},
		{"Mailbox", mailboxTests},
		{"Removal", removalTests},
		{"Retired", retiredTests},
		{"Key", keyTests},
		{"Message", messageTests},
		{"List", listTests},
		{"Counters", counterTests},
		{"Count", countTests},
		{"Thread", threadTests},
		{"Event", eventTests},
		{"EventTime", eventTimeTests},
		{"Claim", claimTests},
		{"Contact", contactTests},
		{"Delivery", deliveryTests},
		{"History", historyTests},
		{"Send", sendTests},
		{"Draft", draftTests},
		{"Quarantine", quarantineTests},
		{"Search", searchTests},
		{"Hook", hookTests},
		{"Log", logTests},
		{"DomainReport", domainReportTests},
		{"Observation", observationTests},
		{"Policy", policyTests},
		{"Secret", secretTests},
		{"Text", textTests},
		{"PartText", partTextTests},
		{"Concurrency", concurrencyTests},
	}, func(t *testing.T) kit { return kit{t, open(t)} })
}

// test is one case on a store of its own.
type test = testOf[kit]

// group is the tests of one noun.
type group[K any] struct {
	noun  string
	tests []testOf[K]
}

type testOf[K any] struct {
	name string
	run  func(k K)
}

func runGroups[K any](t *testing.T, groups []group[K], open func(t *testing.T) K) {
	for _, g := range groups {
		t.Run(g.noun, func(t *testing.T) {
			for _, c := range g.tests {
				t.Run(c.name, func(t *testing.T) { c.run(open(t)) })
			}
		})
	}
}

// kit is a store under test with the steps that most cases need. A step that fails ends the test.
type kit struct {
	*testing.T
	db store.Store
}

func (k kit) update(fn func(ctx context.Context, tx store.Tx) error) {
	k.Helper()
	if err := k.db.Update(k.Context(), func(tx store.Tx) error { return fn(k.Context(), tx) }); err != nil {
		k.Fatalf("Update: %v", err)
	}
}

func (k kit) view(fn func(ctx context.Context, r store.Reader) error) {
	k.Helper()
	if err := k.db.View(k.Context(), func(r store.Reader) error { return fn(k.Context(), r) }); err != nil {
		k.Fatalf("View: %v", err)
	}
}

// ask asks one question and returns its answer and its error.
func ask[T any](k kit, question func(ctx context.Context, r store.Reader) (T, error)) (answer T, err error) {
	k.Helper()
	if err := k.db.Ask(k.Context(), func(r store.Reader) error {
		answer, err = question(k.Context(), r)
		return nil
	}); err != nil {
		k.Fatalf("Ask: %v", err)
	}
	return answer, err
}

// must is ask for a question that has to be answered.
func must[T any](k kit, question func(ctx context.Context, r store.Reader) (T, error)) T {
	k.Helper()
	answer, err := ask(k, question)
	if err != nil {
		k.Fatal(err)
	}
	return answer
}
