package storetest

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var observationTests = []test{
	{"are added up, and new ones only where there is room", func(k kit) {
		a := mailbox.Topic{Day: 20_000, Kind: mailbox.ReportDMARC, Domain: "a.example"}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.OpenTopic(ctx, a) })
		k.observe(a, "one", 2, true)
		k.observe(a, "one", 3, false)
		k.observe(a, "two", 7, true)
		k.observe(a, "three", 9, false)
		k.observe(mailbox.Topic{Day: a.Day, Kind: mailbox.ReportTLS, Domain: a.Domain}, "one", 1, true)
		k.same("observations", k.observations(a, 10), []mailbox.Observation{{Topic: a, Fact: "two", Count: 7},
			{Topic: a, Fact: "one", Count: 5}})
		k.same("the first", len(k.observations(a, 1)), 1)
		k.same("state", must(k, func(ctx context.Context, r store.Reader) (store.TopicState, error) {
			return r.Topic(ctx, a)
		}), store.TopicState{Facts: 2})
	}},
	{"are reported once", func(k kit) {
		a := mailbox.Topic{Day: 20_000, Kind: mailbox.ReportDMARC, Domain: "a.example"}
		b, c := mailbox.Topic{Day: 20_000, Kind: mailbox.ReportTLS, Domain: "a.example"}, a
		c.Day++
		k.update(func(ctx context.Context, tx store.Tx) error {
			for _, t := range []mailbox.Topic{c, b, a, a} {
				if err := tx.OpenTopic(ctx, t); err != nil {
					return err
				}
			}
			return nil
		})
		k.observe(a, "one", 2, true)
		k.same("of a day", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
			return r.CountTopics(ctx, a.Day)
		}), int64(2))
		k.same("open", k.openTopics(c.Day, mailbox.Topic{}, 10), []mailbox.Topic{a, b})
		k.same("the next", k.openTopics(c.Day+1, a, 1), []mailbox.Topic{b})
		for _, want := range []bool{true, false} {
			k.update(func(ctx context.Context, tx store.Tx) error {
				closed, err := tx.CloseTopic(ctx, a)
				k.same("closed", closed, want)
				return err
			})
		}
		k.update(func(ctx context.Context, tx store.Tx) error { // what comes late changes nothing
			closed, err := tx.CloseTopic(ctx, mailbox.Topic{Day: 1, Kind: mailbox.ReportTLS, Domain: "x.example"})
			k.same("closed one that is not there", closed, false)
			if err == nil {
				err = tx.OpenTopic(ctx, a)
			}
			return err
		})
		k.same("left open", k.openTopics(c.Day+1, mailbox.Topic{}, 10), []mailbox.Topic{b, c})
		k.same("left of it", len(k.observations(a, 10)), 0)
		k.same("state", must(k, func(ctx context.Context, r store.Reader) (store.TopicState, error) {
			return r.Topic(ctx, a)
		}), store.TopicState{Reported: true})
	}},
	{"go with their day", func(k kit) {
		a := mailbox.Topic{Day: 20_000, Kind: mailbox.ReportDMARC, Domain: "a.example"}
		b := a
		b.Day++
		for _, t := range []mailbox.Topic{a, b} {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.OpenTopic(ctx, t) })
			k.observe(t, "one", 2, true)
		}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.TrimTopics(ctx, b.Day) })
		k.same("old", len(k.observations(a, 10)), 0)
		k.same("new", len(k.observations(b, 10)), 1)
		k.same("open", k.openTopics(b.Day+1, mailbox.Topic{}, 10), []mailbox.Topic{b})
		_, err := ask(k, func(ctx context.Context, r store.Reader) (store.TopicState, error) { return r.Topic(ctx, a) })
		k.is("the old one", err, store.ErrNotFound)
	}},
}

func (k kit) observe(t mailbox.Topic, fact string, n int64, grow bool) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.AddObservation(ctx, mailbox.Observation{Topic: t, Fact: fact, Count: n}, grow)
	})
}

func (k kit) observations(t mailbox.Topic, limit int) []mailbox.Observation {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Observation, error) {
		return r.Observations(ctx, t, limit)
	})
}

func (k kit) openTopics(before int64, after mailbox.Topic, limit int) []mailbox.Topic {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Topic, error) {
		return r.OpenTopics(ctx, before, after, limit)
	})
}
