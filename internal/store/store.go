// Package store is the contract between the service and whatever keeps its data. It holds interfaces, filters and
// sentinels, and no database code; store/sqlite implements it and store/storetest is the suite every implementation
// must pass.
//
// What both sides may rely on:
//   - Update is atomic and durable: when it returns nil, everything its function wrote survives a power cut; when it
//     returns an error, nothing of it is there. The function may be run again after a conflict, so it must not
//     touch anything outside but its own variables, and must set those from scratch.
//   - View sees one state of the store from beginning to end; Ask is for whoever needs none, and costs less.
//   - Rules live in the service: a store does as it is told and checks nothing but uniqueness.
//   - Timestamps are kept to the millisecond, in UTC.
package store

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrNotFound is what a look-up answers when there is no such row.
	ErrNotFound = errors.New("not found")
	// ErrTaken is what an insert answers when the address is already somebody's.
	ErrTaken = errors.New("already taken")
	// ErrStorage is what any call answers when the disk is full or cannot be written. Nothing was stored.
	ErrStorage = errors.New("storage cannot be written")
	// ErrFull is an ErrStorage for want of room.
	ErrFull = fmt.Errorf("%w: the disk is full", ErrStorage)
	// ErrUnavailable is what any call answers when the database cannot be reached. What an Update did is not known to
	// be stored.
	ErrUnavailable = errors.New("storage cannot be reached")
	// ErrClosed is what any call answers after Close.
	ErrClosed = errors.New("store is closed")
)

type background struct{}

// Background marks updates with a context as work that can wait for room where the disk is full: nothing is given up
// for it, so that deletions find all that is left.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// IsBackground tells whether a context is marked so.
func IsBackground(ctx context.Context) bool { return ctx.Value(background{}) != nil }

type reading struct{}

// Reading marks what is asked with a context as part of something that only reads. A store may then have it answered by
// a copy that has all that was committed before it was asked.
func Reading(ctx context.Context) context.Context { return context.WithValue(ctx, reading{}, true) }

// IsReading tells whether a context is marked so.
func IsReading(ctx context.Context) bool { return ctx.Value(reading{}) != nil }

// Store keeps mailboxes and mail.
type Store interface {
	// View runs fn on one consistent state. The Reader is valid inside fn only.
	View(ctx context.Context, fn func(Reader) error) error
	// Ask runs fn without a snapshot: each read sees the latest commit. It is cheaper than View for a single read.
	Ask(ctx context.Context, fn func(Reader) error) error
	// Update runs fn in a transaction that is durable when Update returns nil. A caller whose ctx ends before fn was
	// begun gets ctx's error and nothing is done; once begun, fn is carried through.
	Update(ctx context.Context, fn func(Tx) error) error
	// Ping tells whether the store can be written now.
	Ping(ctx context.Context) error
	// Size is how many bytes the store takes up, without the index where that is apart.
	Size(ctx context.Context) (int64, error)
	Close() error
}

// Reader is what a View can ask.
type Reader interface {
	// Mailboxes, the addresses of deleted ones, keys, and how a mailbox becomes permanent.
	MailboxReader
	RetiredReader
	KeyReader
	ClaimReader
	// Mail: messages, conversations, the log of events, and the texts of attachments.
	MessageReader
	ThreadReader
	EventReader
	PartTextReader
	// Mail that the lists keep out.
	QuarantineReader
	// Mail that goes out: drafts, limits, where not to send, allow and block lists, deliveries, what happened to
	// messages, who is known, and policies of other servers.
	DraftReader
	SendReader
	SuppressionReader
	ListReader
	DeliveryReader
	ReviewReader
	HistoryReader
	ContactReader
	PolicyReader
	// Events on their way to webhooks.
	HookReader
	HookRouteReader
	// Of the deployment: secrets, domains, what others reported about them and what is reported to others, and the logs
	// of refusals and of what operators did.
	SecretReader
	DomainReader
	DomainReportReader
	ObservationReader
	LogReader
	// What the index is to do.
	IndexReader
	// Sums for those who watch.
	CountReader
}

// Tx is what an Update can ask and do, in the order of Reader.
type Tx interface {
	Reader
	MailboxWriter
	RetiredWriter
	KeyWriter
	ClaimWriter
	MessageWriter
	ThreadWriter
	EventWriter
	PartTextWriter
	QuarantineWriter
	DraftWriter
	SendWriter
	SuppressionWriter
	ListWriter
	DeliveryWriter
	ReviewWriter
	HistoryWriter
	ContactWriter
	PolicyWriter
	HookWriter
	HookTargetWriter
	HookRouteWriter
	SecretWriter
	DomainWriter
	DomainReportWriter
	ObservationWriter
	LogWriter
	IndexWriter
}
