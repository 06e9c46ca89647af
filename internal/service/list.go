package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

const (
	maxListed     = 10_000 // entries of one list
	maxListedNote = 500    // bytes
)

// ListOf is a list of a mailbox, or of the deployment.
type ListOf struct {
	List       mailbox.List
	Deployment bool
}

// NewListed is an entry to be put on a list.
type NewListed struct {
	ListOf
	Value     string // an address, a domain, or "*." and a domain
	Note      string
	ExpiresAt time.Time // zero: never
}

// box is the mailbox whose list it is: 0 for the deployment, whose lists are the operator's.
func (l ListOf) box(in Access) (mailbox.Num, error) {
	switch {
	case !l.Deployment:
		return in.Box.Num, nil
	case in.Caller.Scope != mailbox.Operator:
		return 0, denied(in.Caller, mailbox.Moderate)
	case in.named():
		return 0, mailbox.InvalidField("scope", "Name a mailbox or the scope deployment, not both.")
	}
	return 0, nil
}

// List lists the entries of a list, newest first.
func (s *Service) List(ctx context.Context, in Access, l ListOf, p Page) (List[mailbox.Listed], error) {
	num, err := l.box(in)
	if err != nil {
		return List[mailbox.Listed]{}, err
	}
	before, err := decodeCursor(cursorListed, p.Cursor)
	if err != nil {
		return List[mailbox.Listed]{}, err
	}
	var rows []mailbox.Listed
	err = s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.ListEntries(ctx, num, l.List, store.ListFilter{Before: before, Offset: p.Offset,
			Limit: p.Limit + 1})
		return err
	})
	return list(rows, p.Limit, cursorListed, func(x mailbox.Listed) int64 { return x.Number }), err
}

// PutListed puts an entry on a list, in the place of one with the same value.
func (s *Service) PutListed(ctx context.Context, in Access, n NewListed) (mailbox.Listed, error) {
	num, err := n.box(in)
	if err != nil {
		return mailbox.Listed{}, err
	}
	e, err := s.newListed(num, n)
	if err != nil {
		return mailbox.Listed{}, err
	}
	err = s.changeList(ctx, in, num, string(n.List)+" "+string(e.Pattern), func(tx store.Tx) error {
		old, err := onList(ctx, tx, e)
		if err != nil {
			return err
		}
		if old != nil {
			e.CreatedAt = old.CreatedAt
			return tx.PutListed(ctx, e)
		}
		held, err := tx.CountListed(ctx, num, n.List)
		if err != nil {
			return err
		}
		if held >= maxListed {
			return mailbox.Errorf(mailbox.Conflict, "list_full", "A list has at most %d entries; delete some first.",
				maxListed)
		}
		return tx.PutListed(ctx, e)
	})
	return e, err
}

// newListed checks an entry.
func (s *Service) newListed(num mailbox.Num, n NewListed) (mailbox.Listed, error) {
	e := mailbox.Listed{Mailbox: num, List: n.List, Note: n.Note, CreatedAt: s.now(),
		ExpiresAt: n.ExpiresAt.Truncate(time.Millisecond)}
	p, err := pattern(n.Value)
	switch {
	case err != nil:
		return e, mailbox.InvalidField("value", "%v.", err)
	case len(n.Note) > maxListedNote:
		return e, mailbox.InvalidField("note", "The note is too long: at most %d bytes.", maxListedNote)
	case !e.Active(s.now()):
		return e, mailbox.InvalidField("expires_at", "expires_at is in the past.")
	}
	e.Pattern = p
	return e, nil
}

// onList finds the entry with the same pattern on the same list; nil: there is none.
func onList(ctx context.Context, r store.Reader, e mailbox.Listed) (*mailbox.Listed, error) {
	found, err := r.Listed(ctx, e.Mailbox, []mailbox.Pattern{e.Pattern})
	for _, old := range found {
		if old.Mailbox == e.Mailbox && old.List == e.List {
			return &old, err
		}
	}
	return nil, err
}

// DeleteListed takes an entry off a list, and returns its value.
func (s *Service) DeleteListed(ctx context.Context, in Access, l ListOf, value string) (string, error) {
	num, err := l.box(in)
	if err != nil {
		return "", err
	}
	if value == "" {
		return "", mailbox.InvalidField("value", "Say which entry with the parameter value.")
	}
	p, err := pattern(value)
	if err != nil {
		return "", mailbox.InvalidField("value", "%v.", err)
	}
	err = s.changeList(ctx, in, num, string(l.List)+" "+string(p), func(tx store.Tx) error {
		err := tx.DeleteListed(ctx, num, l.List, p)
		if errors.Is(err, store.ErrNotFound) {
			err = mailbox.Errorf(mailbox.NotFound, "not_found", "%s is not on this list", p)
		}
		return err
	})
	return string(p), err
}

// changeList changes a list, and notes which lists have entries now, and in the audit log what was changed.
func (s *Service) changeList(ctx context.Context, in Access, num mailbox.Num, what string,
	change func(store.Tx) error) error {
	err := s.update(ctx, func(tx store.Tx) error {
		var box mailbox.Mailbox
		var err error
		if num != 0 {
			if box, err = tx.Mailbox(ctx, num); err != nil {
				return err
			}
		}
		if err := change(tx); err != nil {
			return err
		}
		note := what
		if num == 0 {
			note = "deployment: " + what
		}
		if err := tx.AppendAudit(ctx, s.audited(in, box.Address, note)); err != nil || num == 0 {
			return err
		}
		now, err := listsInUse(ctx, tx, num)
		if err != nil || slices.Equal(now, box.Control().Lists) {
			return err
		}
		decided := box.Control()
		decided.Lists = now
		box.SetControl(decided)
		return tx.UpdateMailbox(ctx, box)
	})
	if err = in.gone(err); err != nil {
		return err
	}
	if num == 0 {
		err = s.loadLists(ctx)
	}
	s.wake(wake.Changed, num)
	return err
}

// listsInUse are the lists of a mailbox, or of the deployment, that have entries.
func listsInUse(ctx context.Context, r store.Reader, num mailbox.Num) (used []mailbox.List, err error) {
	for _, l := range mailbox.Lists() {
		found, err := r.ListEntries(ctx, num, l, store.ListFilter{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			used = append(used, l)
		}
	}
	return used, nil
}

// loadLists reads which lists of the deployment have entries. It is called at the start, after each change, and now and
// then for changes that another node made.
func (s *Service) loadLists(ctx context.Context) error {
	return s.view(ctx, func(r store.Reader) error {
		used, err := listsInUse(ctx, r, 0)
		if err == nil {
			s.lists.Store(&used)
		}
		return err
	})
}

// deploymentLists are the lists of the deployment that have entries, as far as this node knows.
func (s *Service) deploymentLists() []mailbox.List {
	if used := s.lists.Load(); used != nil {
		return *used
	}
	return nil
}
