package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	topicState = `SELECT reported, (SELECT count(*) FROM observations o WHERE o.day = t.day AND o.kind = t.kind
		AND o.domain = t.domain) FROM topics t WHERE t.day = $1 AND t.kind = $2 AND t.domain = $3`
	openTopics = `SELECT day, kind, domain FROM topics WHERE NOT reported AND day < $1
		AND (day, kind, domain) > ($2, $3, $4) ORDER BY day, kind, domain LIMIT $5`
	observations = `SELECT day, kind, domain, fact, seen FROM observations WHERE day = $1 AND kind = $2 AND domain = $3
		ORDER BY seen DESC, fact LIMIT $4`
	addObservation = `INSERT INTO observations (day, kind, domain, fact, seen) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (day, kind, domain, fact) DO UPDATE SET seen = observations.seen + excluded.seen`
	raiseObservation = `UPDATE observations SET seen = seen + $5
		WHERE day = $1 AND kind = $2 AND domain = $3 AND fact = $4`
)

// topic binds a topic.
func (b *stmt) topic(t mailbox.Topic) *stmt { return b.int(t.Day).text(string(t.Kind)).text(t.Domain) }

func (q *queries) Topic(_ context.Context, t mailbox.Topic) (store.TopicState, error) {
	return one(q.sql(topicState).topic(t), rows.TopicState)
}

func (q *queries) OpenTopics(_ context.Context, before int64, after mailbox.Topic, limit int) ([]mailbox.Topic,
	error) {
	return all(q.sql(openTopics).int(before).topic(after).int(int64(limit)), rows.Topic)
}

func (q *queries) CountTopics(_ context.Context, day int64) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM topics WHERE day = $1`).int(day), rows.Int)
}

func (q *queries) Observations(_ context.Context, t mailbox.Topic, limit int) ([]mailbox.Observation, error) {
	return all(q.sql(observations).topic(t).int(int64(limit)), rows.Observation)
}

func (q *queries) OpenTopic(_ context.Context, t mailbox.Topic) error {
	return q.sql(`INSERT INTO topics (day, kind, domain) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`).topic(t).run()
}

func (q *queries) AddObservation(_ context.Context, o mailbox.Observation, grow bool) error {
	sql := raiseObservation
	if grow {
		sql = addObservation
	}
	return q.sql(sql).topic(o.Topic).text(o.Fact).int(o.Count).run()
}

func (q *queries) CloseTopic(_ context.Context, t mailbox.Topic) (bool, error) {
	n, err := q.sql(`UPDATE topics SET reported = true WHERE day = $1 AND kind = $2 AND domain = $3 AND NOT reported`).
		topic(t).changed()
	if err != nil || n == 0 {
		return false, err
	}
	return true, q.sql(`DELETE FROM observations WHERE day = $1 AND kind = $2 AND domain = $3`).topic(t).run()
}

func (q *queries) TrimTopics(_ context.Context, before int64) error {
	if err := q.sql(`DELETE FROM observations WHERE day < $1`).int(before).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM topics WHERE day < $1`).int(before).run()
}
