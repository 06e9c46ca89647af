package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// TopicState is how far the report on a topic has come.
type TopicState struct {
	Reported bool
	Facts    int64 // that differ
}

// ObservationReader finds what the reports to owners of other domains will say.
type ObservationReader interface {
	// Topic returns the state of a topic: ErrNotFound where nothing was seen of it.
	Topic(ctx context.Context, t mailbox.Topic) (TopicState, error)
	// OpenTopics lists up to limit topics of days before one that were not reported, in the order of day, kind and
	// domain, from behind one of them on.
	OpenTopics(ctx context.Context, before int64, after mailbox.Topic, limit int) ([]mailbox.Topic, error)
	// CountTopics counts those of a day.
	CountTopics(ctx context.Context, day int64) (int64, error)
	// Observations lists up to limit of a topic, the most frequent first.
	Observations(ctx context.Context, t mailbox.Topic, limit int) ([]mailbox.Observation, error)
}

// ObservationWriter keeps it.
type ObservationWriter interface {
	// OpenTopic notes that something was seen of a topic. One that is there stays as it is.
	OpenTopic(ctx context.Context, t mailbox.Topic) error
	// AddObservation adds to how often something was seen. What was not seen before is kept only where grow says so.
	AddObservation(ctx context.Context, o mailbox.Observation, grow bool) error
	// CloseTopic notes that a topic is reported, and deletes its observations. closed is false where it was reported
	// before, or is not there: of several callers one alone closes it.
	CloseTopic(ctx context.Context, t mailbox.Topic) (closed bool, err error)
	// TrimTopics deletes topics of days before one, with their observations.
	TrimTopics(ctx context.Context, before int64) error
}
