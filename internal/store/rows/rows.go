// Package rows turns rows of tables into nouns, for every store that speaks SQL. The statements are each store's own;
// the columns and their order, and what they mean, are the same for all of them and stand here.
package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Row is a result row of a store. Columns count from 0.
type Row interface {
	Int(column int) int64
	Num(column int) mailbox.Num
	Bool(column int) bool
	Text(column int) string
	Time(column int) time.Time
	Null(column int) bool
	Blob(column int) []byte
	ID(column int) mailbox.ID
	Bytes32(column int) [32]byte
	Bytes16(column int) [16]byte
}

// The columns of each noun, in the order in which its function below reads them. A width is how many columns these are.
const (
	AuditColumns    = `n, at, action, box, note, actor, facts, seq, previous, hash`
	ChainColumns    = `head_seq, head_hash, base_seq, base_hash`
	ClaimColumns    = `session, link, salt, name, address, box, client, created_at, expires_at, done_at`
	DeliveryColumns = `box, seq, n, message, recipient, destination, status, attempts, code, text, host, tls, provider,
	queued_at, next_at, lease, leased, begun, unknown, told, tried_at, entered_at`
	DomainColumns = `id, box, name, token, selector, keys, mx, spf, dkim, dmarc, owned, created_at, verified_at, lapsed_at,
	rotation`
	// HookColumns are those of a hook h with its target t.
	HookColumns = `h.n, h.id, h.box, h.target, t.url, h.event, h.kind, h.message, h.at, h.state, h.attempts, h.next_at,
	h.lease, h.leased, h.log`
	// DraftColumns leave out the body, which lists do not read.
	DraftColumns     = `n, box, id, version, created_at, updated_at, size, sent_at, message, thread, message_id, head`
	HistoryColumns   = `at, kind, actor, facts`
	HookRouteColumns = `label, created_at, url, failed, fails, tried, error, box, settings`
	KeyColumns       = `digest, id, box, scope, hint, created_at, expires_at, used_at, restriction`
	KeyWidth         = 9
	// MailboxColumns are those of a mailbox m.
	MailboxColumns = `m.num, m.address, m.aliases, m.scope, m.created_at, m.expires_at, m.status, m.paused_by, m.pause_reason,
	m.paused_at, m.hook_url, m.hook_failed, m.hook_fails, m.hook_tried, m.hook_error, m.routed, m.domain_owner,
	m.control, m.profile`
	MailboxWidth = 19
	// MessageColumns begin behind the key of a message, which each store has in its own form.
	MessageColumns = `id, thread, outbound, seen, received_at, size, attachments, status, labels, from_addr, from_name,
	to_addr, subject, snippet, code, message_id, recipient, digest, taken, verdict, held`
	MessageWidth  = 21
	SecretColumns = `name, digest, made_at, ends_at, sealed`
	// without its number, which the store gives it
	DomainReportColumns = `domain, kind, reporter, authentic, organization, report, about, begin_at, end_at, received_at,
	passed, failed, sums`
	PolicyColumns = `domain, id, text, expires_at, refresh_at`
	ListedColumns = `n, box, list, pattern, note, expires_at, created_at`
	ReviewColumns = `n, box, message, status, reasons, note, decided_by, created_at, expires_at, decided_at, version,
	about, unnoticed, due`
	QuarantinedColumns = `n, box, id, received_at, expires_at, released_at, message, size, digest, head`
	SuppressionColumns = `n, box, address, reason, detail, message, at`
)

func Audit[R Row](r R) store.Entry[mailbox.Audit] {
	return store.Entry[mailbox.Audit]{Number: r.Int(0), Value: mailbox.Audit{At: r.Time(1), Action: r.Text(2),
		Mailbox: r.Text(3), Note: r.Text(4), Actor: r.Text(5), AuditFacts: mailbox.DecodeAuditFacts(r.Text(6)),
		Seq: r.Int(7), Previous: hashOf(r.Blob(8)), Hash: hashOf(r.Blob(9))}}
}

// hashOf reads a hash. Entries from before the chain have none.
func hashOf(b []byte) (h [32]byte) {
	copy(h[:], b)
	return h
}

// AuditEnds reads the one row of audit_chain.
func AuditEnds[R Row](r R) store.AuditEnds {
	return store.AuditEnds{Head: mailbox.AuditLink{Seq: r.Int(0), Hash: hashOf(r.Blob(1))},
		Base: mailbox.AuditLink{Seq: r.Int(2), Hash: hashOf(r.Blob(3))}}
}

func Draft[R Row](r R) store.Draft {
	return store.Draft{Number: r.Int(0), Mailbox: r.Num(1), ID: r.ID(2), Version: r.Int(3), CreatedAt: r.Time(4),
		UpdatedAt: r.Time(5), Size: r.Int(6), SentAt: r.Time(7), Message: r.ID(8), Thread: r.ID(9),
		MessageID: r.Text(10), Head: r.Blob(11)}
}

// WholeDraft reads the body behind the columns of a draft.
func WholeDraft[R Row](r R) store.Draft {
	d := Draft(r)
	d.Body = r.Blob(12)
	return d
}

// DraftFile reads the columns blob and packed.
func DraftFile[R Row](r R) store.Content { return store.Content{Blob: r.Text(0), Packed: r.Blob(1)} }

func Bootstrap[R Row](r R) mailbox.Bootstrap {
	return mailbox.Bootstrap{Digest: r.Bytes32(0), Mailbox: r.Num(1), Salt: r.Bytes16(2)}
}

func Claim[R Row](r R) mailbox.Claim {
	return mailbox.Claim{Session: r.Bytes32(0), Link: r.Bytes32(1), Salt: r.Bytes16(2), Name: r.Text(3),
		Address: r.Text(4), Mailbox: r.Num(5), Client: r.Text(6), CreatedAt: r.Time(7), ExpiresAt: r.Time(8),
		DoneAt: r.Time(9)}
}

func Counters[R Row](r R) mailbox.Counters {
	return mailbox.Counters{Inbound: r.Int(0), Outbound: r.Int(1), Unseen: r.Int(2), Bytes: r.Int(3),
		Month: int32(r.Int(4)), ThisMonth: r.Int(5)}
}

// Holding reads counters with the time of the last message behind them.
func Holding[R Row](r R) mailbox.Holding {
	h := mailbox.Holding{Counters: Counters(r)}
	if !r.Null(6) {
		h.LastAt = r.Time(6)
	}
	return h
}

func Delivery[R Row](r R) mailbox.Delivery {
	return mailbox.Delivery{
		Mailbox: r.Num(0), Seq: r.Int(1), N: int(r.Int(2)), Message: r.ID(3), Recipient: r.Text(4),
		Destination: r.Text(5), Status: mailbox.DeliveryStatus(r.Text(6)), Attempts: int(r.Int(7)), Code: int(r.Int(8)),
		Text: r.Text(9), Host: r.Text(10), TLS: r.Text(11), Provider: r.Text(12), QueuedAt: r.Time(13),
		NextAt: r.Time(14), Lease: r.Int(15), Leased: r.Bool(16), Begun: r.Bool(17), Unknown: r.Bool(18),
		Told: mailbox.Told(r.Int(19)), TriedAt: r.Time(20), EnteredAt: r.Time(21),
	}
}

func Destination[R Row](r R) store.Destination {
	return store.Destination{Name: r.Text(0), Next: r.Time(1)}
}

// FrontOfQueue puts deliveries into the order of the queue and cuts the list.
func FrontOfQueue(list []mailbox.Delivery, limit int) []mailbox.Delivery {
	slices.SortFunc(list, func(a, b mailbox.Delivery) int {
		return store.PlaceInQueue(a).Compare(store.PlaceInQueue(b))
	})
	return list[:min(len(list), limit)]
}

func QueueSum[R Row](r R) mailbox.QueueSum {
	return mailbox.QueueSum{Destination: r.Text(0), Deliveries: r.Int(1), OnHold: r.Int(2), OldestAt: r.Time(3)}
}

func Domain[R Row](r R) mailbox.Domain {
	return mailbox.Domain{ID: r.ID(0), Mailbox: r.Num(1), Name: r.Text(2), Token: r.Text(3), Selector: r.Text(4),
		Keys: r.Blob(5), MX: r.Bool(6), SPF: r.Bool(7), DKIM: r.Bool(8), DMARC: r.Bool(9), Owned: r.Bool(10),
		CreatedAt: r.Time(11), VerifiedAt: r.Time(12), LapsedAt: r.Time(13),
		KeyRotation: mailbox.DecodeKeyRotation(r.Text(14))}
}

func DomainCount[R Row](r R) store.DomainCount {
	return store.DomainCount{Domain: r.Text(0), Owner: r.Num(1), Mailboxes: r.Int(2), Used: r.Int(3), First: r.Num(4)}
}

// Event reads the columns n, at, kind, message and result. Of an event that is a message, and has no row of its own,
// the kind is null.
func Event[R Row](r R, m *mailbox.Message) mailbox.Event {
	e := mailbox.Event{Number: r.Int(0), At: r.Time(1), Kind: mailbox.EventKind(r.Text(2)), Message: r.ID(3),
		Result: mailbox.DecodeResult(r.Text(4)), Mail: m}
	if r.Null(2) {
		e.Kind = KindOf(*m)
	}
	return e
}

// KindOf is the kind of event that a message is.
func KindOf(m mailbox.Message) mailbox.EventKind {
	switch {
	case m.Held:
		return mailbox.MessageHeld
	case m.Direction == mailbox.Outbound:
		return mailbox.MessageSent
	}
	return mailbox.MessageReceived
}

// Departed is the event that stays behind when a message is deleted.
func Departed(m mailbox.Message) mailbox.Event {
	return mailbox.Event{Mailbox: m.Mailbox, At: m.ReceivedAt, Kind: KindOf(m), Message: m.ID}
}

func Forgotten[R Row](r R) store.Forgotten {
	return store.Forgotten{Number: r.Int(0), Mailbox: r.Num(1), Seq: r.Int(2)}
}

func Happening[R Row](r R) mailbox.Happening {
	return mailbox.Happening{Address: r.Text(0), Kind: mailbox.EventKind(r.Text(1)), Message: r.ID(2), At: r.Time(3)}
}

func Hook[R Row](r R) mailbox.Hook {
	return mailbox.Hook{
		N: r.Int(0), ID: r.ID(1), Mailbox: r.Num(2), Target: r.Int(3), URL: r.Text(4), Event: r.Int(5),
		Kind: mailbox.EventKind(r.Text(6)), Message: r.ID(7), At: r.Time(8), State: mailbox.HookState(r.Text(9)),
		Attempts: int(r.Int(10)), NextAt: r.Time(11), Lease: r.Int(12), Leased: r.Bool(13),
		Log: mailbox.DecodeAttempts(r.Text(14)),
	}
}

// WholeHook reads a hook with its body, which follows the other columns.
func WholeHook[R Row](r R) mailbox.Hook {
	h := Hook(r)
	h.Body = r.Blob(15)
	return h
}

func HookRoute[R Row](r R) mailbox.HookRoute {
	route := mailbox.HookRoute{CreatedAt: r.Time(1), Mailbox: r.Num(7),
		RouteSettings: mailbox.DecodeRouteSettings(r.Text(8)),
		Webhook: mailbox.Webhook{URL: r.Text(2), Failed: r.Bool(3), ConsecutiveFailures: int(r.Int(4)),
			LastAttemptAt: r.Time(5), LastError: r.Text(6)}}
	route.SetKey(r.Text(0))
	return route
}

func HookTarget[R Row](r R) mailbox.HookTarget {
	return mailbox.HookTarget{Number: r.Int(0), Mailbox: r.Num(1), URL: r.Text(2)}
}

func Key[R Row](r R) mailbox.Key {
	k := mailbox.Key{Digest: r.Bytes32(0), ID: r.ID(1), Mailbox: r.Num(2), Scope: mailbox.Scope(r.Text(3)),
		Hint: r.Text(4), CreatedAt: r.Time(5), ExpiresAt: r.Time(6), LastUsedAt: r.Time(7)}
	if bound := r.Text(8); bound != "" {
		k.Bind(mailbox.DecodeRestriction(bound))
	}
	return k
}

func Mailbox[R Row](r R) mailbox.Mailbox {
	m := mailbox.Mailbox{
		Num: r.Num(0), Address: r.Text(1), Aliases: strings.Fields(r.Text(2)), Scope: mailbox.Scope(r.Text(3)),
		CreatedAt: r.Time(4), ExpiresAt: r.Time(5), Status: mailbox.Status(r.Text(6)),
		PausedBy: mailbox.PausedBy(r.Text(7)), PauseReason: r.Text(8), PausedAt: r.Time(9),
		Webhook: mailbox.Webhook{URL: r.Text(10), Failed: r.Bool(11), ConsecutiveFailures: int(r.Int(12)),
			LastAttemptAt: r.Time(13), LastError: r.Text(14)},
		Routed: r.Bool(15), DomainOwner: r.Num(16),
	}
	if decided := r.Text(17); decided != "" {
		m.SetControl(mailbox.DecodeControl(decided))
	}
	if about := r.Text(18); about != "" {
		m.SetProfile(mailbox.DecodeProfile(about))
	}
	return m
}

// Message reads all but the key. A thread of null is a message that is alone, and an empty recipient the one in To.
func Message[R Row](r R) mailbox.Message {
	m := mailbox.Message{
		ID: r.ID(0), Thread: r.ID(0), Direction: mailbox.Inbound, Seen: r.Bool(3), ReceivedAt: r.Time(4),
		Size: r.Int(5), Attachments: int(r.Int(6)), Status: r.Text(7), Labels: strings.Fields(r.Text(8)),
		From: mailbox.Address{Address: r.Text(9), Name: r.Text(10)}, To: r.Text(11), Subject: r.Text(12),
		Snippet: r.Text(13), Code: r.Text(14), MessageID: r.Text(15), Recipient: r.Text(16), Digest: r.Bytes16(17),
		Taken: r.Bool(18), Verdict: mailbox.DecodeVerdict(r.Text(19)), Held: r.Bool(20),
	}
	if m.Recipient == "" {
		m.Recipient = m.To
	}
	if !r.Null(1) {
		m.Thread = r.ID(1)
	}
	if r.Bool(2) {
		m.Direction = mailbox.Outbound
	}
	return m
}

// Recipient gives what is stored of a message's recipient: most often nothing. Rows are kept short, because every mail
// moves some.
func Recipient(m mailbox.Message) string {
	if m.Recipient == m.To {
		return ""
	}
	return m.Recipient
}

// HashedMessageID stands for a Message-ID in a row that is sealed: it has the same hash.
func HashedMessageID(messageID string) string {
	return hashedMark + strconv.FormatUint(uint64(MessageIDHash(messageID)), 16)
}

const hashedMark = "\x01"

// MessageIDHash keys a Message-ID in the table of references.
func MessageIDHash(messageID string) int64 {
	if text, ok := strings.CutPrefix(messageID, hashedMark); ok {
		if hash, err := strconv.ParseUint(text, 16, 64); err == nil {
			return int64(hash)
		}
	}
	sum := sha256.Sum256([]byte(messageID))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

func Secret[R Row](r R) mailbox.KnownSecret {
	return mailbox.KnownSecret{Name: mailbox.SecretName(r.Text(0)), Digest: r.Bytes32(1), MadeAt: r.Time(2),
		EndsAt: r.Time(3), Sealed: r.Blob(4)}
}

func Policy[R Row](r R) mailbox.Policy {
	return mailbox.Policy{Domain: r.Text(0), ID: r.Text(1), Text: r.Text(2), ExpiresAt: r.Time(3), RefreshAt: r.Time(4)}
}

func DomainReport[R Row](r R) mailbox.DomainReport {
	return mailbox.DomainReport{Number: r.Int(0), Domain: r.ID(1), Kind: mailbox.ReportKind(r.Text(2)),
		Reporter: r.Text(3), Authentic: r.Bool(4), Organization: r.Text(5), ID: r.Text(6), About: r.Text(7),
		Begin: r.Time(8), End: r.Time(9), ReceivedAt: r.Time(10), Passed: r.Int(11), Failed: r.Int(12),
		Rows: mailbox.DecodeRows(r.Text(13))}
}

func Reject[R Row](r R) store.Entry[mailbox.Reject] {
	return store.Entry[mailbox.Reject]{Number: r.Int(0), Value: mailbox.Reject{At: r.Time(1), Stage: r.Text(2),
		Sender: r.Text(3), Recipient: r.Text(4), Address: r.Text(5), Remote: r.Text(6), Reply: r.Text(7)}}
}

// Contact reads whether a contact is a correspondent.
func Contact[R Row](r R) store.Contact { return store.Contact{Known: true, Correspondent: r.Bool(0)} }

// Review reads a review; each of its reasons is a line.
func Review[R Row](r R) mailbox.Review {
	return mailbox.Review{Number: r.Int(0), Mailbox: r.Num(1), Message: r.ID(2),
		Status:  mailbox.ReviewStatus(r.Text(3)),
		Reasons: strings.Split(r.Text(4), "\n"), Note: r.Text(5), By: r.Text(6), CreatedAt: r.Time(7),
		ExpiresAt: r.Time(8), DecidedAt: r.Time(9), Version: r.Int(10), About: r.ID(11), Unnoticed: r.Bool(12),
		Due: r.Bool(13)}
}

func Suppression[R Row](r R) mailbox.Suppression {
	return mailbox.Suppression{Number: r.Int(0), Mailbox: r.Num(1), Address: r.Text(2), Reason: r.Text(3),
		Detail: r.Text(4), Message: r.ID(5), At: r.Time(6)}
}

func Quarantined[R Row](r R) store.Quarantined {
	return store.Quarantined{Number: r.Int(0), Mailbox: r.Num(1), ID: r.ID(2), ReceivedAt: r.Time(3),
		ExpiresAt: r.Time(4), ReleasedAt: r.Time(5), Message: r.ID(6), Size: r.Int(7),
		Digest: mailbox.Digest(r.Bytes16(8)), Head: r.Blob(9)}
}

// ID reads an id alone.
func ID[R Row](r R) mailbox.ID { return r.ID(0) }

func Listed[R Row](r R) mailbox.Listed {
	return mailbox.Listed{Number: r.Int(0), Mailbox: r.Num(1), List: mailbox.List(r.Text(2)),
		Pattern: mailbox.Pattern(r.Text(3)), Note: r.Text(4), ExpiresAt: r.Time(5), CreatedAt: r.Time(6)}
}

func History[R Row](r R) mailbox.HistoryEntry {
	return mailbox.HistoryEntry{At: r.Time(0), Kind: mailbox.HistoryKind(r.Text(1)), Actor: r.Text(2),
		HistoryFacts: mailbox.DecodeHistoryFacts(r.Text(3))}
}

func TextWork[R Row](r R) store.TextWork { return store.TextWork{Mailbox: r.Num(0), Seq: r.Int(1)} }

// Millis is how a time is stored: in milliseconds since 1970, and 0 for none.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis reads it.
func FromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Below is the number that a list ends before: any, where a caller gives none.
func Below(before int64) int64 {
	if before <= 0 {
		return 1<<63 - 1
	}
	return before
}

// MailboxOrder is the order of a list of mailboxes.
func MailboxOrder(f store.MailboxFilter) string {
	if f.Oldest {
		return ` ORDER BY m.num`
	}
	return ` ORDER BY m.num DESC`
}

// ThreadSample is how many of a thread's newest messages its list row speaks of.
const ThreadSample = 100

// Thread is the list row of a thread, from its newest message alone.
func Thread(newest mailbox.Message) mailbox.Thread {
	return mailbox.Thread{ID: newest.Thread, Latest: newest, Count: 1, Attachments: newest.Attachments > 0,
		Participants: []mailbox.Address{newest.From}, Labels: newest.Labels}
}

// AddToThread adds what a message says to the list row of its thread.
func AddToThread(t *mailbox.Thread, m mailbox.Message) {
	t.Attachments = t.Attachments || m.Attachments > 0
	t.Labels = mailbox.Relabel(t.Labels, m.Labels, nil)
	if !slices.ContainsFunc(t.Participants, func(a mailbox.Address) bool { return a.Address == m.From.Address }) {
		t.Participants = append(t.Participants, m.From)
	}
}

// The first column of a row, for statements that have but one.

func Int[R Row](r R) int64       { return r.Int(0) }
func Num[R Row](r R) mailbox.Num { return r.Num(0) }
func Bool[R Row](r R) bool       { return r.Bool(0) }
func Text[R Row](r R) string     { return r.Text(0) }
func Time[R Row](r R) time.Time  { return r.Time(0) }

func Content[R Row](r R) store.Content { return store.Content{Blob: r.Text(0), Packed: r.Blob(1)} }

// Idempotent reads all but what it was looked for by.
func Idempotent[R Row](r R) mailbox.Idempotent {
	return mailbox.Idempotent{Body: r.Bytes32(0), Message: r.ID(1), Thread: r.ID(2), MessageID: r.Text(3),
		At: r.Time(4)}
}

// Pace is how a mailbox sends.
func Pace[R Row](r R) mailbox.Pace { return mailbox.DecodePace(r.Text(0)) }

func Topic[R Row](r R) mailbox.Topic {
	return mailbox.Topic{Day: r.Int(0), Kind: mailbox.ReportKind(r.Text(1)), Domain: r.Text(2)}
}

func TopicState[R Row](r R) store.TopicState {
	return store.TopicState{Reported: r.Bool(0), Facts: r.Int(1)}
}

func Observation[R Row](r R) mailbox.Observation {
	return mailbox.Observation{Topic: Topic(r), Fact: r.Text(3), Count: r.Int(4)}
}
