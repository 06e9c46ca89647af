package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/store"
)

// What screening finds in a message is worked out when somebody reads it, so that better rules count for old mail too
// and nothing of it delays mail that comes in. A list that is to say it reads the messages of its page.

// AnyScreening asks a list to say what the screening of each message found.
const AnyScreening = "any"

const (
	screenLargest = 256 << 10 // bytes of a message that lists screen; larger ones say nothing in a list
	screenMost    = 500       // messages that are read for one page of those with a verdict
	verdictsKept  = 50_000    // in memory: what a list found once, it need not read again
)

// verdicts remembers what screening found. A message does not change, nor do the rules while the program runs.
type verdicts struct {
	mu    sync.Mutex
	known map[mailbox.ID]string
}

func (v *verdicts) of(id mailbox.ID) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id]
}

func (v *verdicts) keep(id mailbox.ID, verdict string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil || len(v.known) >= verdictsKept {
		v.known = map[mailbox.ID]string{}
	}
	v.known[id] = verdict
}

// picked lists messages by their status, how far their senders can be believed, and what their screening found.
func (s *Service) picked(ctx context.Context, in Access, q InboxQuery) (List[mailbox.Message], error) {
	known := []string{AnyScreening, string(screen.Clean), string(screen.Flagged), string(screen.Dangerous), ""}
	field := "screening"
	if len(q.Status) > 0 {
		field = "status"
	} else if q.Trust != "" {
		field = "trust"
	}
	for _, one := range q.Status {
		if !slices.Contains(mailbox.Statuses, string(one)) {
			return List[mailbox.Message]{}, mailbox.InvalidField("status", "There is no status %q; there are %s.", one,
				strings.Join(mailbox.Statuses, ", "))
		}
	}
	switch {
	case !slices.Contains([]mailbox.TrustLevel{mailbox.Verified, mailbox.Unverified, mailbox.Suspicious, ""}, q.Trust):
		return List[mailbox.Message]{}, mailbox.InvalidField("trust", "trust is verified, unverified or suspicious.")
	case !slices.Contains(known, q.Screening):
		return List[mailbox.Message]{}, mailbox.InvalidField("screening",
			"screening is any, clean, flagged or dangerous.")
	case strings.TrimSpace(q.Query) != "" || q.Thread != "" || q.Page.Offset != 0:
		return List[mailbox.Message]{}, mailbox.InvalidField(field,
			"%s narrows a list: leave query, thread_id and offset out.", field)
	}
	pick := SelectQuery{Direction: q.Direction, Seen: q.Seen, Status: q.Status, Since: q.Since, Until: q.Until,
		Trust: q.Trust, Screening: q.Screening, Page: q.Page}
	if q.Label != "" {
		label, err := mailbox.ParseLabel("label", q.Label)
		if err != nil {
			return List[mailbox.Message]{}, err
		}
		pick.Labels = []string{label}
	}
	return s.Select(ctx, in, pick)
}

// screenRows notes in rows of a list what their screening found.
func (s *Service) screenRows(ctx context.Context, in Access, rows []mailbox.Message) error {
	for i := range rows {
		if err := s.screenRow(ctx, in, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) screenRow(ctx context.Context, in Access, m *mailbox.Message) error {
	if m.Screened = s.verdicts.of(m.ID); m.Screened != "" || m.Size > screenLargest {
		return nil
	}
	full := FullMessage{Message: *m, Address: in.Box.Address}
	var err error
	if full.Detail, err = s.detail(ctx, *m); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return nil // it was deleted meanwhile
		}
		return err
	}
	m.Screened = screened(&full, bodyOf(&full.Detail)).Verdict
	full.Detail.SetView(nil)
	s.verdicts.keep(m.ID, m.Screened)
	return nil
}
