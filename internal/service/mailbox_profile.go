package service

import (
	"context"
	"errors"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	displayNameMost = 100 // characters
	clientIDMost    = 100
	metadataMost    = 50  // members
	metadataName    = 100 // bytes
	metadataText    = 500 // characters
)

// ProfileChange is what is to be said otherwise about a mailbox. A nil field stays.
type ProfileChange struct {
	DisplayName *string         // empty: none
	Metadata    *map[string]any // these members, of which a nil one is taken away; a nil map: all are
}

// profile applies the change.
func (c ProfileChange) profile(p mailbox.Profile) (mailbox.Profile, error) {
	if c.DisplayName != nil {
		p.DisplayName = strings.TrimSpace(*c.DisplayName)
	}
	if c.Metadata != nil {
		old := p.Metadata
		if p.Metadata = nil; *c.Metadata != nil {
			p.Metadata = make(map[string]any, len(old)+len(*c.Metadata))
			maps.Copy(p.Metadata, old)
			maps.Copy(p.Metadata, *c.Metadata)
			maps.DeleteFunc(p.Metadata, func(_ string, v any) bool { return v == nil })
		}
	}
	return p, checkProfile(p)
}

func checkProfile(p mailbox.Profile) error {
	switch {
	case utf8.RuneCountInString(p.DisplayName) > displayNameMost:
		return mailbox.InvalidField("display_name", "The name is too long: at most %d characters.", displayNameMost)
	case strings.IndexFunc(p.DisplayName, unicode.IsControl) >= 0:
		return mailbox.InvalidField("display_name", "The name must not hold line breaks or other control characters.")
	case len(p.ClientID) > clientIDMost || strings.ContainsFunc(p.ClientID, notInClientID):
		return mailbox.InvalidField("client_id", "client_id has at most %d printable ASCII characters, without @ and "+
			"spaces.", clientIDMost)
	case len(p.Metadata) > metadataMost:
		return mailbox.InvalidField("metadata", "There is too much metadata: at most %d members.", metadataMost)
	}
	for name, value := range p.Metadata {
		text, _ := value.(string)
		if name == "" || len(name) > metadataName || utf8.RuneCountInString(text) > metadataText {
			return mailbox.InvalidField("metadata", "Metadata has names of 1 to %d bytes, and texts of at most %d "+
				"characters.", metadataName, metadataText)
		}
		switch value.(type) {
		case string, float64, bool:
		default:
			return mailbox.InvalidField("metadata", "The metadata %q must be a string, a number, true or false.",
				mailbox.Clip(name, 50))
		}
	}
	return nil
}

func notInClientID(r rune) bool { return r <= ' ' || r > '~' || r == '@' }

// profile is what is said about a mailbox that is to be made.
func (n NewMailbox) profile(by mailbox.Caller) (mailbox.Profile, error) {
	p := mailbox.Profile{ClientID: n.ClientID}
	if by.Scope != mailbox.Operator && n.ClientID != "" {
		p.Maker = by.Mailbox.Num
	}
	return ProfileChange{DisplayName: &n.DisplayName, Metadata: &n.Metadata}.profile(p)
}

// errMade is that a mailbox was made before, under the same name.
var errMade = errors.New("the mailbox is there already")

// unmade fails with errMade where the maker has a mailbox of that name already.
func unmade(ctx context.Context, r store.Reader, p mailbox.Profile) error {
	if p.ClientID == "" {
		return nil
	}
	_, err := r.MailboxOf(ctx, p.Client())
	switch {
	case err == nil:
		return errMade
	case errors.Is(err, store.ErrNotFound):
		return nil
	}
	return err
}

// madeBefore finds the mailbox that was made under that name; none is no error.
func (s *Service) madeBefore(ctx context.Context, in Access, p mailbox.Profile) (made CreatedMailbox, err error) {
	if p.ClientID == "" {
		return made, nil
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		made.Mailbox, err = r.MailboxOf(ctx, p.Client())
		if err == nil && in.Caller.Scope != mailbox.Operator {
			_, err = opened(ctx, r, in.Caller.Key, made.Address)
			if errors.Is(err, store.ErrNotFound) { // another key of the same mailbox made it
				err = mailbox.Errorf(mailbox.Conflict, "client_id_taken", "Another key has made a mailbox with this "+
					"client_id.")
			}
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return CreatedMailbox{}, nil
	}
	if err != nil {
		return CreatedMailbox{}, err
	}
	made.Replayed = true
	return made, nil
}

// OpenMailboxes lists the mailboxes that the caller may open, newest first: an operator all of them, a key its own and
// those beside it.
func (s *Service) OpenMailboxes(ctx context.Context, in Access, q OpenQuery) (List[mailbox.Mailbox], error) {
	place, err := decodeCursor(cursorMailbox, q.Page.Cursor)
	if err != nil {
		return List[mailbox.Mailbox]{}, err
	}
	f := store.MailboxFilter{Key: in.Caller.Key.ID, Query: strings.ToLower(q.Query), Oldest: q.Oldest,
		Offset: q.Page.Offset, Limit: q.Page.Limit + 1}
	if q.Oldest {
		f.After = mailbox.Num(place)
	} else {
		f.Before = mailbox.Num(place)
	}
	var rows []mailbox.Mailbox
	err = s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Mailboxes(ctx, f)
		return err
	})
	return list(rows, q.Page.Limit, cursorMailbox, func(m mailbox.Mailbox) int64 { return int64(m.Num) }), err
}

// OpenQuery narrows the list of the mailboxes that a caller may open.
type OpenQuery struct {
	Query  string // a part of the address
	Oldest bool   // the oldest come first
	Page   Page
}
