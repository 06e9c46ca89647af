package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	topicState = `SELECT reported, (SELECT count(*) FROM observations o WHERE o.day = t.day AND o.kind = t.kind
		AND o.domain = t.domain) FROM topics t WHERE t.day = ?1 AND t.kind = ?2 AND t.domain = ?3`
	openTopics = `SELECT day, kind, domain FROM topics WHERE NOT reported AND day < ?1
		AND (day, kind, domain) > (?2, ?3, ?4) ORDER BY day, kind, domain LIMIT ?5`
	observations = `SELECT day, kind, domain, fact, seen FROM observations WHERE day = ?1 AND kind = ?2 AND domain = ?3
		ORDER BY seen DESC, fact LIMIT ?4`
	addObservation = `INSERT INTO observations (day, kind, domain, fact, seen) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (day, kind, domain, fact) DO UPDATE SET seen = observations.seen + excluded.seen`
	raiseObservation = `UPDATE observations SET seen = seen + ?5
		WHERE day = ?1 AND kind = ?2 AND domain = ?3 AND fact = ?4`
)

func (q Queries[R]) OpenTopics(_ context.Context, before int64, after mailbox.Topic, limit int) ([]mailbox.Topic,
	error) {
	return all(q, rows.Topic, openTopics, append(append([]any{before}, topic(after)...), limit)...)
}

func (q Queries[R]) CountTopics(_ context.Context, day int64) (int64, error) {
	return one(q, rows.Int, `SELECT count(*) FROM topics WHERE day = ?1`, day)
}

func (q Queries[R]) Observations(_ context.Context, t mailbox.Topic, limit int) ([]mailbox.Observation, error) {
	return all(q, rows.Observation, observations, append(topic(t), limit)...)
}

func (q Queries[R]) AddObservation(_ context.Context, o mailbox.Observation, grow bool) error {
	sql := raiseObservation
	if grow {
		sql = addObservation
	}
	return q.run(sql, append(topic(o.Topic), o.Fact, o.Count)...)
}

func (q Queries[R]) OpenTopic(_ context.Context, t mailbox.Topic) error {
	return q.run(`INSERT INTO topics (day, kind, domain) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING`, topic(t)...)
}

func (q Queries[R]) CloseTopic(_ context.Context, t mailbox.Topic) (bool, error) {
	n, err := q.changed(`UPDATE topics SET reported = true WHERE day = ?1 AND kind = ?2 AND domain = ?3
		AND NOT reported`, topic(t)...)
	if err != nil || n == 0 {
		return false, err
	}
	return true, q.run(`DELETE FROM observations WHERE day = ?1 AND kind = ?2 AND domain = ?3`, topic(t)...)
}

func (q Queries[R]) TrimTopics(_ context.Context, before int64) error {
	if err := q.run(`DELETE FROM observations WHERE day < ?1`, before); err != nil {
		return err
	}
	return q.run(`DELETE FROM topics WHERE day < ?1`, before)
}

func (q Queries[R]) Topic(_ context.Context, t mailbox.Topic) (store.TopicState, error) {
	return one(q, rows.TopicState, topicState, topic(t)...)
}

// topic is the key of a topic.
func topic(t mailbox.Topic) []any { return []any{t.Day, string(t.Kind), t.Domain} }
