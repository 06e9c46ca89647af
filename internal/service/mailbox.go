package service

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Me is what a credential may do and how much.
type Me struct {
	Version      string
	Address      string
	Scope        mailbox.Scope
	ExpiresAt    time.Time // zero: never
	CanSend      bool
	Capabilities []string
	Limits       mailbox.Limits
	Key          mailbox.Key // zero: the operator's
	Paused       *mailbox.SendingPause
	Bound        Bound // what the key is bound to
	Allowance    mailbox.Allowance
	Use          mailbox.Use
	SendsToday   int
	Event        int64        // the number of the mailbox's newest event
	Role         mailbox.Role // of an operator
	Named        mailbox.Key  // of a named operator
}

// Me describes the caller to itself.
func (s *Service) Me(ctx context.Context, in Access) (Me, error) {
	var to Bound
	var event int64
	record := MailboxRecord{Mailbox: in.Box}
	err := s.view(ctx, func(r store.Reader) (err error) {
		if to, err = bound(ctx, r, in.Caller.Key); err != nil {
			return err
		}
		if event, _, err = r.LastEvent(ctx, in.Box.Num); err != nil {
			return err
		}
		return s.addUse(ctx, r, &record)
	})
	expires := in.Caller.Key.ExpiresAt
	if in.Caller.Scope == mailbox.Operator {
		expires = in.Caller.Named.ExpiresAt
	}
	if expires.IsZero() {
		expires = in.Caller.Mailbox.ExpiresAt
	}
	return Me{Version: s.opt.Version, Address: in.Box.Address, Scope: in.Caller.Scope, ExpiresAt: expires,
		CanSend: s.opt.Way != WayOff && in.Caller.May(mailbox.SendMail) && s.maySend(in.Box,
			in.Box.Address) == nil && in.Box.Control().SendingPaused == nil,
		Paused:       in.Box.Control().SendingPaused,
		Capabilities: in.Caller.Names(), Limits: s.opt.Limits, Key: in.Caller.Key, Bound: to,
		Allowance: record.Allowance, Use: record.Use, SendsToday: record.SendsToday,
		Event: event, Role: in.Caller.Role(), Named: in.Caller.Named}, in.gone(err)
}

// MailboxRecord is a mailbox with what its owner is shown of it.
type MailboxRecord struct {
	mailbox.Mailbox
	SendsToday    int
	Allowance     mailbox.Allowance
	Use           mailbox.Use
	Brakes        bool                  // they are on
	ReceiveAction mailbox.ReceiveAction // its own, or the deployment's
}

// MailboxRecord shows the mailbox.
func (s *Service) MailboxRecord(ctx context.Context, in Access) (MailboxRecord, error) {
	var out MailboxRecord
	err := s.view(ctx, func(r store.Reader) (err error) {
		if out.Mailbox, err = r.Mailbox(ctx, in.Box.Num); err != nil {
			return err
		}
		out.Brakes = s.braked(out.Mailbox)
		out.ReceiveAction = s.receiveAction(out.Mailbox)
		return s.addUse(ctx, r, &out)
	})
	out.Webhook.URL = in.shownURL(out.Webhook.URL)
	return out, in.gone(err)
}

// addUse adds to a mailbox what it may hold and do, and what it does of that.
func (s *Service) addUse(ctx context.Context, r store.Reader, m *MailboxRecord) (err error) {
	m.Allowance = s.allowance(m.Mailbox)
	if m.Use, err = r.Use(ctx, m.Num); err != nil {
		return err
	}
	sent, err := r.Tally(ctx, m.Num, sendsTally, utcDay(s.now()))
	m.SendsToday = int(sent)
	return err
}

// MailboxChange is what an owner may change. A nil field stays.
type MailboxChange struct {
	WebhookURL *string // empty: none
	ProfileChange
	ControlChange
}

// Empty tells whether nothing is to be changed.
func (c MailboxChange) Empty() bool { return c == MailboxChange{} }

// note says for the audit log what is changed. Values that are the owner's own are not told.
func (c MailboxChange) note() string {
	var changed []string
	for _, one := range []struct {
		name  string
		given bool
	}{{"webhook_url", c.WebhookURL != nil}, {"display_name", c.DisplayName != nil}, {"metadata", c.Metadata != nil}} {
		if one.given {
			changed = append(changed, one.name)
		}
	}
	if control := c.ControlChange.note(); control != "" {
		changed = append(changed, control)
	}
	return strings.Join(changed, ", ")
}

// ChangeMailbox sets the mailbox's webhook, and what people have decided about the mailbox. Setting a webhook, even to
// the same address, revives one that had failed (API 4).
func (s *Service) ChangeMailbox(ctx context.Context, in Access, c MailboxChange) (MailboxRecord, error) {
	if c.Empty() {
		return s.MailboxRecord(ctx, in)
	}
	if (c.WebhookURL != nil || c.ProfileChange != ProfileChange{}) && !in.Caller.May(mailbox.ManageMailbox) {
		return MailboxRecord{}, denied(in.Caller, mailbox.ManageMailbox)
	}
	if err := c.allowed(in.Caller); err != nil {
		return MailboxRecord{}, err
	}
	if err := s.checkReviewers(ctx, in.Box, &c.ControlChange); err != nil {
		return MailboxRecord{}, err
	}
	var url string
	if c.WebhookURL != nil {
		url = strings.TrimSpace(*c.WebhookURL)
	}
	if url != "" {
		if err := s.checkWebhook(url); err != nil {
			return MailboxRecord{}, err
		}
	}
	told := false
	_, err := s.changeBox(ctx, in, func(m mailbox.Mailbox) (mailbox.Mailbox, error) {
		if c.WebhookURL != nil {
			m.Webhook = mailbox.Webhook{URL: url}
		}
		decided := c.apply(m.Control())
		if err := c.Limits.fits(decided); err != nil {
			return m, err
		}
		m.SetControl(decided)
		about, err := c.profile(m.Profile())
		if c.ProfileChange != (ProfileChange{}) {
			about.UpdatedAt = s.now()
		}
		m.SetProfile(about)
		return m, err
	}, func(tx store.Tx, was mailbox.Mailbox) (err error) {
		if c.Limits != nil {
			told, err = s.tellLimits(ctx, tx, was.Num)
		}
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, was.Address, c.note()))
	})
	if err != nil {
		return MailboxRecord{}, err
	}
	s.wakeTold(in.Box.Num, told)
	return s.MailboxRecord(ctx, in)
}

// PauseMailbox stops the mailbox from taking requests and puts its mail off.
func (s *Service) PauseMailbox(ctx context.Context, in Access, reason string) (mailbox.Mailbox, error) {
	if len(reason) > 500 {
		return mailbox.Mailbox{}, mailbox.InvalidField("reason", "The reason is too long: at most 500 bytes.")
	}
	return s.changeBox(ctx, in, func(m mailbox.Mailbox) (mailbox.Mailbox, error) {
		return m.Pause(in.actor(), reason, s.now()), nil
	})
}

// ResumeMailbox makes a paused mailbox active again. What it has waiting to be delivered is due at once.
func (s *Service) ResumeMailbox(ctx context.Context, in Access) (mailbox.Mailbox, error) {
	box, err := s.changeBox(ctx, in, func(m mailbox.Mailbox) (mailbox.Mailbox, error) { return m.Resume(in.actor()) },
		func(tx store.Tx, was mailbox.Mailbox) error {
			if was.Status != mailbox.Halted {
				return nil
			}
			return s.hasten(ctx, tx, was.Num, was.PausedAt)
		})
	s.wake(wake.Queue, 0)
	return box, err
}

// hasten has what a mailbox that was paused has waiting be due at once.
func (s *Service) hasten(ctx context.Context, tx store.Tx, num mailbox.Num, since time.Time) error {
	now := s.now()
	return tx.HastenDeliveries(ctx, num, now, max(now.Sub(since), 0))
}

// changeBox applies a change to a mailbox as it is now, and does with it what follows from that for the mailbox as it
// was.
func (s *Service) changeBox(ctx context.Context, in Access, change func(mailbox.Mailbox) (mailbox.Mailbox, error),
	also ...func(tx store.Tx, was mailbox.Mailbox) error) (box mailbox.Mailbox, err error) {
	err = s.update(ctx, func(tx store.Tx) error {
		was, err := tx.Mailbox(ctx, in.Box.Num)
		if err == nil {
			box, err = change(was)
		}
		if err == nil {
			err = tx.UpdateMailbox(ctx, box)
		}
		for _, do := range also {
			if err == nil {
				err = do(tx, was)
			}
		}
		return err
	})
	s.wake(wake.Changed, in.Box.Num)
	s.wake(wake.Mail, in.Box.Num)
	return box, in.gone(err)
}

// NewMailbox is a mailbox to be made: a name on the first domain, or a whole address.
type NewMailbox struct {
	Name, Address string
	AnyName       bool   // where neither is given, a random name will do
	Domain        string // of that; empty: the first

	DisplayName string
	Metadata    map[string]any
	ClientID    string // the caller's own name for it: asked for twice, it is made once
}

// CreatedMailbox is a new mailbox with its key, which is shown this once.
type CreatedMailbox struct {
	mailbox.Mailbox
	Key      mailbox.Secret // empty: it was there already
	Replayed bool           // it was made before, under the same ClientID
}

// CreateMailbox makes a permanent mailbox.
func (s *Service) CreateMailbox(ctx context.Context, in Access, n NewMailbox) (CreatedMailbox, error) {
	about, err := n.profile(in.Caller)
	if err != nil {
		return CreatedMailbox{}, err
	}
	if made, err := s.madeBefore(ctx, in, about); made.Replayed || err != nil {
		return made, err
	}
	address, err := s.newAddress(in.Caller, n)
	if err != nil {
		return CreatedMailbox{}, err
	}
	made := CreatedMailbox{Key: mailbox.NewSecret(), Mailbox: s.newBox(address)}
	made.SetProfile(about)
	if d, ok := s.served.find(domainOf(address)); ok && !s.ours(domainOf(address)) {
		made.DomainOwner = d.maker()
	}
	if in.Caller.Scope != mailbox.Operator { // it must not get round what was decided about its own mailbox
		control := in.Caller.Mailbox.Control()
		control.Lists, control.Told = nil, mailbox.QuotaTold{}
		made.SetControl(control)
	}
	var moved mailbox.Num
	err = s.update(ctx, func(tx store.Tx) (err error) {
		if err := unmade(ctx, tx, about); err != nil {
			return err
		}
		if moved, err = s.moveAside(ctx, tx, address); err != nil {
			return err
		}
		if made.Num, err = tx.InsertMailbox(ctx, made.Mailbox); err != nil {
			return err
		}
		key := s.newKey(made.Num, made.Key)
		if in.Caller.Scope != mailbox.Operator {
			if err := s.madeBy(ctx, tx, in.Caller.Key, &key, address); err != nil {
				return err
			}
		}
		if err := tx.InsertKey(ctx, key); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, address, ""))
	})
	switch {
	case errors.Is(err, errMade):
		return s.madeBefore(ctx, in, about)
	case errors.Is(err, store.ErrTaken):
		return CreatedMailbox{}, taken(address)
	}
	if err == nil && moved != 0 {
		s.wake(wake.Changed, moved)
	}
	return made, err
}

// madeBy binds the key of a mailbox that was made with another key to what that one is bound to, and lets that one open
// the mailbox. Only the operator gives out an address again that was somebody's.
func (s *Service) madeBy(ctx context.Context, tx store.Tx, by mailbox.Key, key *mailbox.Key, address string) error {
	if err := s.unretired(ctx, tx, address); err != nil {
		return err
	}
	same := by.Restriction()
	same.Several, same.CreateMailboxes, same.ExpiresAt = false, false, by.ExpiresAt
	key.Bind(same)
	key.ExpiresAt = by.ExpiresAt
	if err := s.inheritRoutes(ctx, tx, by, key.Mailbox); err != nil {
		return err
	}
	return tx.InsertKeyBox(ctx, by.ID, key.Mailbox)
}

// moveAside frees an address for the owner of its domain: a mailbox that was made for a former owner goes on under a
// random address of the deployment, with its mail and its keys. It returns the mailbox; 0: there is none.
func (s *Service) moveAside(ctx context.Context, tx store.Tx, address string) (mailbox.Num, error) {
	box, err := tx.MailboxAt(ctx, address)
	if errors.Is(err, store.ErrNotFound) || err == nil && !s.displaced(box, address) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if box.Address == address {
		box.Address = temporaryName() + "@" + s.opt.Domains[0]
		if err := tx.RenameMailbox(ctx, box.Num, box.Address); err != nil {
			return 0, err
		}
	}
	if err := tx.DropAlias(ctx, box.Num, address); err != nil {
		return 0, err
	}
	return box.Num, tx.AppendAudit(ctx, mailbox.Audit{At: s.now(), Action: "mailbox moved aside", Mailbox: box.Address,
		Note: "it was " + address})
}

func (s *Service) newBox(address string) mailbox.Mailbox {
	return mailbox.Mailbox{Address: address, Scope: mailbox.Permanent, Status: mailbox.Active, CreatedAt: s.now()}
}

// MailboxQuery narrows the operator's list of mailboxes.
type MailboxQuery struct {
	Status, Query string
	Page          Page
}

// ListedMailbox is a mailbox with what it holds.
type ListedMailbox struct {
	mailbox.Mailbox
	mailbox.Holding
}

// Mailboxes lists the deployment's mailboxes, newest first.
func (s *Service) Mailboxes(ctx context.Context, in Access, q MailboxQuery) (List[ListedMailbox], error) {
	status := mailbox.Status(strings.ToLower(q.Status))
	if status != "" && status != mailbox.Active && status != mailbox.Halted {
		return List[ListedMailbox]{}, mailbox.InvalidField("status", "status is active or paused.")
	}
	before, err := decodeCursor(cursorMailbox, q.Page.Cursor)
	if err != nil {
		return List[ListedMailbox]{}, err
	}
	var rows []ListedMailbox
	var next mailbox.Num
	err = s.view(ctx, func(r store.Reader) (err error) {
		boxes, n, err := s.lookForBoxes(ctx, r, store.MailboxFilter{Status: status, Query: strings.ToLower(q.Query),
			Before: mailbox.Num(before), Offset: q.Page.Offset, Limit: q.Page.Limit + 1})
		if next = n; err == nil {
			rows, err = held(ctx, r, boxes)
		}
		return err
	})
	for i := range rows {
		rows[i].Webhook.URL = in.shownURL(rows[i].Webhook.URL)
	}
	out := list(rows, q.Page.Limit, cursorMailbox, func(m ListedMailbox) int64 { return int64(m.Num) })
	if next > 0 {
		out.Next = encodeCursor(cursorMailbox, int64(next))
	}
	return out, err
}

// held adds to mailboxes what they hold.
func held(ctx context.Context, r store.Reader, boxes []mailbox.Mailbox) ([]ListedMailbox, error) {
	nums := make([]mailbox.Num, len(boxes))
	for i, b := range boxes {
		nums[i] = b.Num
	}
	holdings, err := r.Holdings(ctx, nums...)
	rows := make([]ListedMailbox, len(boxes))
	for i, b := range boxes {
		rows[i] = ListedMailbox{b, holdings[b.Num]}
	}
	return rows, err
}

// Deleted is what went with a mailbox.
type Deleted struct {
	Address string
	Blobs   int
}

// DeleteMailbox deletes the mailbox and everything in it. Its keys are dead and its address is refused from the first
// step on; its mail goes in small steps, so that no other mailbox waits. A crash in between is made good by Recover.
func (s *Service) DeleteMailbox(ctx context.Context, in Access) (Deleted, error) {
	if in.anywhere() {
		return Deleted{}, mailbox.InvalidField("mailbox", "Name the mailbox to delete with the parameter mailbox.")
	}
	err := s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		who := in.Caller
		if who.Scope != mailbox.Operator {
			who.Mailbox = box // it may have been claimed since the caller came in
		}
		if !who.May(mailbox.DeleteMailbox) {
			return denied(who, mailbox.DeleteMailbox)
		}
		if err := s.retireAddresses(ctx, tx, box); err != nil {
			return err
		}
		if err := tx.RemoveMailbox(ctx, in.Box.Num); err != nil || in.Box.Address != s.opt.Configured {
			return err
		}
		// Recreated at once: its address is never anybody else's.
		_, err = tx.InsertMailbox(ctx, s.newBox(s.opt.Configured))
		return err
	})
	if err != nil {
		return Deleted{}, in.gone(err)
	}
	s.removed(in.Box)
	// From here on the deletion is decided: a caller who hangs up does not stop it.
	n, err := s.purge(context.WithoutCancel(ctx), in.Box.Num)
	return Deleted{Address: in.Box.Address, Blobs: n}, err
}

// removed lets nobody go on with a mailbox that was just taken away.
func (s *Service) removed(box mailbox.Mailbox) {
	s.wake(wake.Changed, box.Num)
	if s.forgetDomains(box.Num) {
		s.wake(wake.Changed, 0)
	}
	s.ledger.forget(box)
	s.wake(wake.Mail, box.Num)
}

// purgeStep is how many messages of a deleted mailbox go in one transaction.
const purgeStep = 100

// purge deletes the mail of a removed mailbox and says how many blobs went. They go first: nobody can ask for them any
// more, and the last row to go is the note that there is something to purge.
func (s *Service) purge(ctx context.Context, num mailbox.Num) (blobs int, err error) {
	if blobs, err = s.blobs.DeletePrefix(ctx, strconv.FormatInt(int64(num), 10)); err != nil {
		return blobs, fail(err)
	}
	return blobs, s.steps(ctx, func(tx store.Tx) (removed int, more bool, err error) {
		removed, done, err := tx.Purge(ctx, num, purgeStep)
		return removed, !done, err
	})
}

// configured is the operator's own mailbox.
func (s *Service) configured(ctx context.Context) (mailbox.Mailbox, error) {
	return s.mailboxAt(ctx, s.opt.Configured)
}

// ensureConfigured makes the operator's mailbox where it is not there.
func (s *Service) ensureConfigured(ctx context.Context) error {
	return s.update(ctx, func(tx store.Tx) error {
		_, err := tx.MailboxAt(ctx, s.opt.Configured)
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		_, err = tx.InsertMailbox(ctx, s.newBox(s.opt.Configured))
		if errors.Is(err, store.ErrTaken) { // another node was first
			return nil
		}
		return err
	})
}
