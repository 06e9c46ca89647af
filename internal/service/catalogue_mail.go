package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// What captured mail is looked for by, and a message of it.
type (
	CapturedQuery = catalogue.Query
	CapturedTerm  = catalogue.Term
	CapturedEntry = catalogue.Entry
)

// CapturedPage is a part of the captured mail, the newest first.
type CapturedPage struct {
	Total, Unread  int            // of all captured mail
	Tags           map[string]int // how many messages have each
	Matching       int            // of what the query finds
	MatchingUnread int
	Deleted        int64 // messages since the start
	Entries        []*CapturedEntry
}

// ListCaptured lists what matches, from start on; a limit below 0 is none.
func (s *Service) ListCaptured(ctx context.Context, in Access, q CapturedQuery, start, limit int) (p CapturedPage,
	err error) {
	if err = s.textsFor(ctx, in, &q); err != nil {
		return p, err
	}
	err = s.withCaptured(ctx, in, func(list *catalogue.List, load catalogue.Load) error {
		found, err := list.Find(q, start, limit, load)
		p = CapturedPage{Total: list.Len(), Unread: list.Unread(), Tags: list.Tags(), Matching: found.Count,
			MatchingUnread: found.Unread, Entries: found.Entries, Deleted: list.Removed()}
		return err
	})
	return p, err
}

// CapturedEntry finds one message of the captured mail; nil: it is not there.
func (s *Service) CapturedEntry(ctx context.Context, in Access, id mailbox.ID) (e *CapturedEntry, err error) {
	err = s.withCaptured(ctx, in, func(list *catalogue.List, load catalogue.Load) (err error) {
		e, err = list.Carded(id, load)
		return err
	})
	return e, err
}

// CapturedChoice is some of the captured mail: by ids, or by a query; neither: all of it.
type CapturedChoice struct {
	IDs   []mailbox.ID
	Query CapturedQuery
}

// chosen lists what a choice is at this moment, the oldest first.
func (s *Service) chosen(ctx context.Context, in Access, which CapturedChoice) (list []*CapturedEntry, err error) {
	if err = s.textsFor(ctx, in, &which.Query); err != nil {
		return nil, err
	}
	err = s.withCaptured(ctx, in, func(all *catalogue.List, load catalogue.Load) (err error) {
		if len(which.IDs) == 0 {
			list, err = all.All(which.Query, load)
			return err
		}
		seen := make(map[mailbox.ID]bool, len(which.IDs))
		for _, id := range which.IDs {
			if e := all.Entry(id); e != nil && !seen[id] {
				seen[id] = true
				list = append(list, e)
			}
		}
		return nil
	})
	return list, err
}

// MarkCaptured sets whether captured mail was read.
func (s *Service) MarkCaptured(ctx context.Context, in Access, which CapturedChoice, seen bool) error {
	list, err := s.chosen(ctx, in, which)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e *CapturedEntry) bool { return e.Seen == seen })
	return s.changeCaptured(ctx, in, list, func(m *mailbox.Message) { m.Seen = seen })
}

// changeCaptured changes messages, some at a time. Those that are gone meanwhile are left out.
func (s *Service) changeCaptured(ctx context.Context, in Access, list []*CapturedEntry,
	change func(*mailbox.Message)) error {
	for some := range slices.Chunk(list, catalogueStep) {
		err := s.update(ctx, func(tx store.Tx) error {
			for _, e := range some {
				if err := s.changeOne(ctx, tx, in, e.ID, change); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) changeOne(ctx context.Context, tx store.Tx, in Access, id mailbox.ID,
	change func(*mailbox.Message)) error {
	m, err := tx.Message(ctx, in.Box.Num, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	old := m.Labels
	change(&m)
	if err := tx.UpdateMessage(ctx, m); err != nil {
		return err
	}
	return s.recordLabels(ctx, tx, m, old, in.Caller.Actor())
}

// TagCaptured replaces the tags of captured messages.
func (s *Service) TagCaptured(ctx context.Context, in Access, ids []mailbox.ID, tags []string) error {
	if len(ids) == 0 {
		return nil
	}
	list, err := s.chosen(ctx, in, CapturedChoice{IDs: ids})
	if err != nil {
		return err
	}
	known, err := s.CapturedTags(ctx, in)
	if err != nil {
		return err
	}
	tags = cleanTags(tags, known)
	return s.changeCaptured(ctx, in, list, func(m *mailbox.Message) { m.Labels = mailbox.Retag(m.Labels, tags) })
}

// CapturedTags counts the captured messages of each tag.
func (s *Service) CapturedTags(ctx context.Context, in Access) (tags map[string]int, err error) {
	err = s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
		tags = list.Tags()
		return nil
	})
	return tags, err
}

// RenameTag gives a tag of captured mail another name.
func (s *Service) RenameTag(ctx context.Context, in Access, tag, to string) error {
	clean := mailbox.CleanTag(to)
	if clean == "" {
		return mailbox.InvalidField("name", "%q is not a name for a tag.", mailbox.Clip(to, maxField))
	}
	spelled, tags, err := s.knownTag(ctx, in, tag)
	if err != nil || spelled == clean {
		return err
	}
	for t := range tags {
		if t != spelled && strings.EqualFold(t, clean) {
			return mailbox.InvalidField("name", "There is a tag %s already.", t)
		}
	}
	return s.replaceTag(ctx, in, spelled, clean)
}

// DeleteTag takes a tag off all captured mail.
func (s *Service) DeleteTag(ctx context.Context, in Access, tag string) error {
	spelled, _, err := s.knownTag(ctx, in, tag)
	if err != nil {
		return err
	}
	return s.replaceTag(ctx, in, spelled, "")
}

// knownTag finds a tag as it is spelled, and all tags.
func (s *Service) knownTag(ctx context.Context, in Access, tag string) (string, map[string]int, error) {
	tags, err := s.CapturedTags(ctx, in)
	if err != nil {
		return "", nil, err
	}
	for t := range tags {
		if strings.EqualFold(t, tag) {
			return t, tags, nil
		}
	}
	return "", nil, mailbox.InvalidField("tag", "There is no tag %s.", mailbox.Clip(tag, maxField))
}

// replaceTag replaces a tag by another one, or by none where that is empty.
func (s *Service) replaceTag(ctx context.Context, in Access, tag, by string) error {
	list, err := s.chosen(ctx, in, CapturedChoice{Query: CapturedQuery{Terms: []CapturedTerm{
		{Field: catalogue.Tag, Value: tag}}}})
	if err != nil {
		return err
	}
	add := []string{}
	if by != "" {
		add = append(add, mailbox.TagLabel(by))
	}
	return s.changeCaptured(ctx, in, list, func(m *mailbox.Message) {
		m.Labels = mailbox.Relabel(m.Labels, add, []string{mailbox.TagLabel(tag)})
	})
}

// DeleteCaptured deletes captured mail for good, some at a time, and counts it. Mail that comes meanwhile stays.
func (s *Service) DeleteCaptured(ctx context.Context, in Access, which CapturedChoice) (deleted int, err error) {
	list, err := s.chosen(ctx, in, which)
	for some := range slices.Chunk(list, catalogueStep) {
		if err != nil {
			break
		}
		var n int
		n, err = s.deleteSome(ctx, some)
		deleted += n
	}
	return deleted, err
}

// deleteSome deletes messages with all copies of them.
func (s *Service) deleteSome(ctx context.Context, some []*CapturedEntry) (deleted int, err error) {
	rows := make([]mailbox.Message, len(some))
	for i, e := range some {
		rows[i] = e.Message
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		rows, err = s.copiesOf(ctx, r, rows)
		return err
	})
	if err == nil {
		err = s.expungeCaptured(ctx, rows, time.Time{})
	}
	if err != nil {
		return 0, err
	}
	return len(some), nil
}
