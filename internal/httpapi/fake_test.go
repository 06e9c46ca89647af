package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing/iotest"
	"time"

	"github.com/mailkin/mailkin/internal/htmlcheck"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/service"
)

// The credentials that the fake knows, one of each kind.
const (
	keyProvisional = "provisional-key"
	keyMailbox     = "mailbox-key"
	keyPaused      = "paused-key"
	keyOperator    = "operator-credential"
	keyView        = "view-key" // of named operators, by their roles
	keyModerate    = "moderate-key"
	keyAdmin       = "admin-key"
	keySession     = "session-key" // of an admin
)

const (
	ownAddress    = "agent@mailkin.example"
	otherAddress  = "other@mailkin.example"
	configAddress = "ops@mailkin.example"
)

var (
	fakeTime   = time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	fakeID, _  = mailbox.ParseID("019cb7d1-0000-7000-8000-000000000000")
	fakeSecret = mailbox.Secret("mk_" + strings.Repeat("0123456789abcdef", 4))
)

// fake is a service that holds one message, knows the credentials above, and remembers what it was asked.
type fake struct {
	linked  func(*service.LinkedReview) // changes what a link leads to
	err     error                       // answered by every verb
	panics  any
	inbox   []mailbox.Message
	content []byte // of the raw message
	long    bool   // a message's text is cut unless it is asked for whole
	broken  error  // ends a whole text
	receipt mailbox.Receipt

	extraction service.Extraction
	preview    *service.Preview // of drafts that are only tried out
	delay      time.Duration    // that sending takes
	unread     bool             // what is attached is not looked at

	replayed  bool
	claim     service.ShownClaim
	polled    service.PolledClaim
	confirmed service.ConfirmedClaim
	stream    *fakeStream
	found     *service.FullMessage // by those who wait
	hold      *hold                // what those who wait wait for
	limited   error                // answered to wrong keys
	rates     []service.Rate
	tooMany   error // answered to Admit
	admitted  []netip.Addr

	entered []service.Act
	asked   any          // by the last verb
	read    int64        // bytes of a message that was brought
	wrong   []netip.Addr // who sent wrong keys
	by      []mailbox.Secret
}

func (f *fake) did(asked any) error {
	if f.panics != nil {
		panic(f.panics)
	}
	f.asked = asked
	return f.err
}

func (f *fake) Authenticate(_ context.Context, token mailbox.Secret) (mailbox.Caller, error) {
	box := mailbox.Mailbox{Num: 1, Address: ownAddress, Aliases: []string{"alias@mailkin.example"},
		Scope: mailbox.Permanent, Status: mailbox.Active, CreatedAt: fakeTime}
	who := mailbox.Caller{Scope: mailbox.Permanent, Mailbox: box}
	switch string(token) {
	case keyMailbox:
	case keyProvisional:
		who.Scope = mailbox.Provisional
	case keyPaused:
		who.Mailbox.Status = mailbox.Halted
	case keyOperator:
		who.Scope, who.Mailbox.Address, who.Mailbox.Aliases = mailbox.Operator, configAddress, nil
	case keyView, keyModerate, keyAdmin, keySession:
		who.Scope, who.Mailbox.Address, who.Mailbox.Aliases = mailbox.Operator, configAddress, nil
		who.Named = mailbox.Key{ID: fakeID, Scope: mailbox.Operator}
		role := map[mailbox.Secret]mailbox.Role{keyView: mailbox.View, keyModerate: mailbox.Moderator}[token]
		who.Named.Bind(mailbox.Restriction{Name: "Kim", Role: cmp.Or(role, mailbox.Admin),
			Session: token == keySession})
	default:
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "not shown")
	}
	return who, nil
}

func (f *fake) WrongKey(client netip.Addr) error {
	f.wrong = append(f.wrong, client)
	return f.limited
}

func (f *fake) Admit(client netip.Addr, _ mailbox.Secret) ([]service.Rate, error) {
	f.admitted = append(f.admitted, client)
	return f.rates, f.tooMany
}

func (f *fake) Enter(_ context.Context, who mailbox.Caller, act service.Act) (service.Access, error) {
	f.entered = append(f.entered, act)
	named := act.Mailbox
	if !who.Scope.May(act.Need) || who.Scope == mailbox.Operator && !who.May(act.Need) {
		if who.Scope == mailbox.Provisional {
			return service.Access{}, mailbox.Errorf(mailbox.Denied, "provisional_capability_denied",
				"A temporary mailbox cannot do this.")
		}
		return service.Access{}, mailbox.Errorf(mailbox.Denied, "scope_denied", "This key cannot do this.")
	}
	in := service.Access{Act: act, Caller: who, Box: who.Mailbox}
	switch {
	case named == "":
	case who.Scope != mailbox.Operator && !who.Mailbox.Owns(strings.ToLower(named)):
		return service.Access{}, mailbox.Errorf(mailbox.Forbidden, "forbidden", "not shown")
	case who.Scope == mailbox.Operator && strings.HasPrefix(named, "nobody"):
		return service.Access{}, mailbox.Errorf(mailbox.NotFound, "not_found", "Mailbox not found")
	case who.Scope == mailbox.Operator:
		in.Box.Address = named
	}
	return in, nil
}

func (f *fake) full() service.FullMessage {
	return service.FullMessage{
		Message: mailbox.Message{ID: fakeID, Thread: fakeID, Direction: mailbox.Inbound, Status: "received",
			ReceivedAt: fakeTime, Subject: "a <b> & c"},
		Detail: mailbox.Detail{Text: "text", Parts: []mailbox.Part{{Index: 1}}}, Address: ownAddress,
	}
}

func (f *fake) Search(_ context.Context, _ service.Access, q service.InboxQuery) (service.SearchResult, error) {
	f.asked = q
	var out service.SearchResult
	for _, m := range f.inbox {
		out.Items = append(out.Items, service.Found{Message: m, Score: 0.5,
			Highlights: []service.Highlight{{Field: "subject",
				Snippet: search.Snippet{Text: "Köd 1", Spans: []search.Span{{Start: 0, End: 4}}}}}})
	}
	return out, f.err
}

func (f *fake) Inbox(_ context.Context, _ service.Access, q service.InboxQuery) (service.List[mailbox.Message], error) {
	if strings.TrimSpace(q.Query) != "" {
		return service.List[mailbox.Message]{}, mailbox.Errorf(mailbox.Unimplemented, "search_unavailable",
			"Search is not available yet.")
	}
	return service.List[mailbox.Message]{Items: f.inbox, Next: "next"}, f.did(q)
}

func (f *fake) Message(_ context.Context, _ service.Access, id mailbox.ID,
	o service.MessageOptions) (service.FullMessage, error) {
	if id != fakeID {
		return service.FullMessage{}, mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")
	}
	m := f.full()
	m.Detail.TextTruncated = f.long
	return m, f.did(o)
}

func (f *fake) WholeMessage(_ context.Context, _ service.Access, _ mailbox.ID,
	o service.MessageOptions) (*service.WholeMessage, error) {
	if !f.long {
		return &service.WholeMessage{FullMessage: f.full()}, f.did(o)
	}
	m := service.WholeMessage{FullMessage: f.full(), Close: func() error { return nil }}
	m.WriteText = func(to io.Writer) error {
		_, err := to.Write(f.content)
		return errors.Join(err, f.broken)
	}
	m.WriteHTML = func(io.Writer) error { return nil }
	return &m, f.did("whole")
}

func (f *fake) ChangeMessage(_ context.Context, _ service.Access, _ mailbox.ID,
	c service.MessageChange) (service.FullMessage, error) {
	return f.full(), f.did(c)
}

func (f *fake) DeleteMessage(_ context.Context, _ service.Access, id mailbox.ID) error {
	return f.did(id)
}

func (f *fake) Raw(_ context.Context, _ service.Access, id mailbox.ID) (*service.Raw, error) {
	file := io.NewSectionReader(bytes.NewReader(f.content), 0, int64(len(f.content)))
	return &service.Raw{SectionReader: file, ID: id, ReceivedAt: fakeTime}, f.did(id)
}

func (f *fake) History(_ context.Context, _ service.Access, id mailbox.ID) (service.History, error) {
	checked := mailbox.HistoryEntry{At: fakeTime, Kind: mailbox.HistoryChecked}
	checked.Verdict.Auth = mailbox.Auth{Checked: true, SPF: "pass", DKIM: "none", DMARC: "none", ARC: "none"}
	return service.History{ID: id, Address: ownAddress, Entries: []mailbox.HistoryEntry{checked,
		{At: fakeTime, Kind: mailbox.HistoryRead, Actor: "operator"}}}, f.did(id)
}

// Export has one message, and says that there are more where not all of it is asked for.
func (f *fake) Export(_ context.Context, _ service.Access, q service.ExportQuery) (*service.Export, error) {
	m := f.full().Message
	m.Size, m.Labels, m.Seen = int64(len(f.content)), []string{"code", "work"}, true
	m.From.Address = "ada@sender.test"
	e := &service.Export{Address: ownAddress, Messages: 2}
	e.Rows = func(visit func(mailbox.Message, string) error) (bool, error) { return q.Bytes > 0, visit(m, "place") }
	e.Each = func(visit func(mailbox.Message, string, io.Reader) error) error {
		raw := io.Reader(bytes.NewReader(f.content))
		if f.broken != nil {
			raw = io.MultiReader(raw, iotest.ErrReader(f.broken))
		}
		return visit(m, "place", raw)
	}
	e.Work = func(to io.Writer, run func(io.Writer) error) error { return run(to) }
	return e, f.did(q)
}

// Attachment has none: the service alone can make one. Downloads are tested by themselves.
func (f *fake) Attachment(_ context.Context, _ service.Access, id mailbox.ID) (*service.Attachment, error) {
	if err := f.did(id); err != nil {
		return nil, err
	}
	return nil, mailbox.Errorf(mailbox.NotFound, "not_found", "Attachment not found")
}

func (f *fake) Extract(_ context.Context, in service.Access, id mailbox.ID) (service.Extraction, error) {
	return f.extraction, f.did(id)
}

func (f *fake) Ingest(_ context.Context, in service.Access, message io.Reader) (mailbox.Receipt, error) {
	n, err := io.Copy(io.Discard, message)
	f.read = n
	if err != nil {
		return mailbox.Receipt{}, err
	}
	r := f.receipt
	r.ID, r.Mailbox = fakeID, in.Box.Address
	return r, f.did(in.Box.Address)
}

func (f *fake) Threads(_ context.Context, _ service.Access, p service.Page) (service.List[mailbox.Thread], error) {
	return service.List[mailbox.Thread]{Items: []mailbox.Thread{{ID: fakeID, Latest: f.full().Message, Count: 2}}},
		f.did(p)
}

func (f *fake) Thread(_ context.Context, _ service.Access, id mailbox.ID, p service.Page) (service.Conversation,
	error) {
	return service.Conversation{ID: id, Messages: []service.FullMessage{f.full()}}, f.did(p)
}

func (f *fake) Me(_ context.Context, in service.Access) (service.Me, error) {
	return service.Me{Version: "1.2.3", Address: in.Box.Address, Scope: in.Caller.Scope,
		Capabilities: in.Caller.Names(), Limits: mailbox.DefaultLimits(),
		Allowance: fakeAllowance}, f.did(nil)
}

func (f *fake) Stats(_ context.Context, in service.Access, days int) (service.Stats, error) {
	s := service.Stats{Address: in.Box.Address, Counters: mailbox.Counters{Inbound: 3, Outbound: 1, Unseen: 2,
		Bytes: 99, ThisMonth: 4}, Unsent: 2, Suppressions: 5, Quarantined: 6}
	for i := range days {
		s.Days = append(s.Days, service.Day{Day: fakeTime.AddDate(0, 0, i), Received: 3, Sent: 1, Bytes: 99,
			Outcomes: map[string]int64{"delivered": 1}})
	}
	return s, f.did(days)
}

var fakeAllowance = mailbox.DefaultLimits().Allowance(mailbox.Mailbox{Scope: mailbox.Permanent})

func (f *fake) MailboxRecord(_ context.Context, in service.Access) (service.MailboxRecord, error) {
	return service.MailboxRecord{Mailbox: in.Box, Allowance: fakeAllowance,
		ReceiveAction: mailbox.RefuseMail}, f.did(nil)
}

func (f *fake) ChangeMailbox(_ context.Context, in service.Access, c service.MailboxChange) (service.MailboxRecord,
	error) {
	if c.WebhookURL != nil {
		in.Box.Webhook.URL = *c.WebhookURL
	}
	return service.MailboxRecord{Mailbox: in.Box, Allowance: fakeAllowance, ReceiveAction: mailbox.RefuseMail}, f.did(c)
}

func (f *fake) PauseMailbox(_ context.Context, in service.Access, reason string) (mailbox.Mailbox, error) {
	return in.Box.Pause(mailbox.ByOwner, reason, fakeTime), f.did(reason)
}

func (f *fake) ResumeSending(_ context.Context, in service.Access) (service.MailboxRecord, error) {
	return service.MailboxRecord{Mailbox: in.Box, Allowance: fakeAllowance}, f.did("sending")
}

func (f *fake) TestMail(_ context.Context, _ service.Access) (service.Knocked, error) {
	return service.Knocked{Taken: true, Reply: "250"}, f.did("knock")
}

func (f *fake) ResumeMailbox(_ context.Context, in service.Access) (mailbox.Mailbox, error) {
	box, err := in.Box.Resume(mailbox.ByOperator)
	if err != nil {
		return box, err
	}
	return box, f.did(nil)
}

func (f *fake) DeleteMailbox(_ context.Context, in service.Access) (service.Deleted, error) {
	return service.Deleted{Address: in.Box.Address, Blobs: 7}, f.did(nil)
}

func (f *fake) CreateMailbox(_ context.Context, _ service.Access, n service.NewMailbox) (service.CreatedMailbox,
	error) {
	return service.CreatedMailbox{Mailbox: mailbox.Mailbox{Address: n.Name + "@mailkin.example",
		Scope: mailbox.Permanent, CreatedAt: fakeTime}, Key: fakeSecret}, f.did(n)
}

func (f *fake) Mailboxes(_ context.Context, in service.Access,
	q service.MailboxQuery) (service.List[service.ListedMailbox], error) {
	held := mailbox.Holding{Counters: mailbox.Counters{Inbound: 3, Outbound: 1, Unseen: 2, Bytes: 99}, LastAt: fakeTime}
	return service.List[service.ListedMailbox]{Items: []service.ListedMailbox{{Mailbox: in.Box, Holding: held}}},
		f.did(q)
}

func (f *fake) CreateKey(context.Context, service.Access, service.NewKey) (service.CreatedKey, error) {
	return service.CreatedKey{Key: mailbox.Key{ID: fakeID, Scope: mailbox.Permanent, Hint: fakeSecret.Hint(),
		CreatedAt: fakeTime}, Secret: fakeSecret}, f.did(nil)
}

func (f *fake) RotateKey(ctx context.Context, in service.Access) (service.CreatedKey, error) {
	return f.CreateKey(ctx, in, service.NewKey{})
}

func (f *fake) Keys(ctx context.Context, in service.Access) ([]service.ListedKey, error) {
	k, err := f.CreateKey(ctx, in, service.NewKey{})
	return []service.ListedKey{{Key: k.Key}}, err
}

func (f *fake) UpdateKey(ctx context.Context, in service.Access, id mailbox.ID, c service.KeyChange) (
	service.ListedKey, error) {
	k, _ := f.CreateKey(ctx, in, service.NewKey{})
	return service.ListedKey{Key: k.Key}, f.did(c)
}

func (f *fake) RevokeKey(_ context.Context, _ service.Access, id mailbox.ID) error { return f.did(id) }

func (f *fake) Rejects(_ context.Context, _ service.Access, q service.RejectsQuery) (
	service.List[mailbox.Reject], error) {
	return service.List[mailbox.Reject]{Items: []mailbox.Reject{{At: fakeTime, Stage: "rcpt", Sender: "a@x",
		Recipient: "b@y", Remote: "192.0.2.1", Reply: "550 5.1.1 no"}}}, f.did(q)
}

func (f *fake) Overview(_ context.Context, _ service.Access, q service.OverviewQuery) (service.Overview, error) {
	return service.Overview{Each: time.Hour, Spans: []service.Day{{Day: fakeTime, Received: 3, Sent: 1, Bytes: 99,
		Outcomes: map[string]int64{"delivered": 1}}}, Whole: true, Mailboxes: 2, Paused: 1,
		FailedWebhooks: []string{otherAddress}, Undelivered: []string{otherAddress}}, f.did(q)
}

func (f *fake) Screenings(_ context.Context, _ service.Access, q service.OverviewQuery) (service.Screenings, error) {
	c := service.ScreenCount{Clean: 5, Dangerous: 1, Unknown: 2}
	return service.Screenings{Each: time.Hour, Spans: []service.ScreenedSpan{{At: fakeTime, ScreenCount: c}},
		Boxes: []service.ScreenedBox{{Address: otherAddress, ScreenCount: c}}, More: true}, f.did(q)
}

func (f *fake) Nodes(context.Context, service.Access) ([]service.ListedNode, error) {
	return []service.ListedNode{{Node: mailbox.Node{Name: "a", Version: "v1", Started: fakeTime, Seen: fakeTime},
		Here: true}, {Node: mailbox.Node{Name: "b", Version: "v1", Started: fakeTime, Seen: fakeTime},
		Silent: true}}, f.did(nil)
}

func (f *fake) CheckMail(_ context.Context, _ service.Access, id mailbox.ID) (service.MailCheck, error) {
	markup := `<p>x</p><iframe></iframe><a href="https://x.example/">y</a>`
	return service.MailCheck{ID: id, HTML: true, Whole: true, Result: htmlcheck.Check(markup),
		Links: htmlcheck.Links("", markup)}, f.did(id)
}

func (f *fake) Activity(_ context.Context, _ service.Access, limit int) ([]mailbox.Happening, error) {
	return []mailbox.Happening{{Address: otherAddress, Kind: mailbox.MessageReceived, Message: fakeID, At: fakeTime}},
		f.did(limit)
}

func (f *fake) Audits(_ context.Context, _ service.Access, q service.AuditsQuery) (service.List[mailbox.Audit], error) {
	return service.List[mailbox.Audit]{Items: []mailbox.Audit{{At: fakeTime, Action: "pause", Mailbox: otherAddress}}},
		f.did(q)
}

func (f *fake) EachAudit(_ context.Context, _ service.Access, after int64, fn func(mailbox.Audit) error) error {
	if err := f.did(after); err != nil {
		return err
	}
	return fn(mailbox.Audit{At: fakeTime, Action: "pause", Mailbox: otherAddress, Seq: 1})
}

func (f *fake) VerifyAudits(context.Context, service.Access) (service.AuditReport, error) {
	return service.AuditReport{AuditCheck: mailbox.AuditCheck{Entries: 1}}, f.err
}

func (f *fake) Reindex(context.Context, service.Access) error { return nil }

func (f *fake) ReindexProgress(context.Context, service.Access) (service.Reindexing, error) {
	return service.Reindexing{Running: true, Done: 1, Total: 2, MessagesDone: 30, MessagesTotal: 400}, nil
}

func (f *fake) Health(context.Context) error { return f.did(nil) }
func (f *fake) Ready(context.Context) error  { return f.did(nil) }

// The real one fits as well.
var _ Service = (*service.Service)(nil)
