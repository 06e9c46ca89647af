package service

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Problem is something about the deployment that its operator should know and do something about.
type Problem struct {
	Check  string // what was looked at
	Severe bool   // mail does not come or go because of it
	Found  string
	Next   string // what to do
}

// Problems looks at the deployment: keys that cannot be opened, domains that have lapsed, mailboxes whose domain is not
// served.
func (s *Service) Problems(ctx context.Context, _ Access) ([]Problem, error) {
	c, err := s.censuses.of(ctx, s.now, struct{}{}, func() (store.Census, bool, error) {
		c, err := s.census(ctx)
		return c, true, err
	})
	if err != nil {
		return nil, err
	}
	list := append(s.problems(c), s.ageProblems(c)...)
	if s.opt.Problems != nil {
		list = append(list, s.opt.Problems()...)
	}
	return list, nil
}

// StoredProblems does the same for a deployment that does not run, from what its store has. What keeps it from starting
// comes first.
func StoredProblems(opt Options, c store.Census) (list []Problem) {
	s := &Service{opt: opt}
	if err := s.domainFits(c); err != nil {
		list = append(list, Problem{Check: "domain", Severe: true, Found: err.Error(), Next: unservedNext})
	}
	return append(list, s.problems(c)...)
}

func (s *Service) census(ctx context.Context) (c store.Census, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		c, err = store.TakeCensus(ctx, r, s.opt.Limits)
		return err
	})
	return c, err
}

func (s *Service) problems(c store.Census) []Problem {
	list := s.domainProblems(c)
	list = append(list, s.formerProblems(c)...)
	if unserved := s.unserved(c); len(unserved) > 0 {
		list = append(list, Problem{Check: "mailboxes", Severe: true, Found: unservedText(unserved),
			Next: unservedNext})
	}
	if len(c.Spared) > 0 {
		list = append(list, Problem{Check: "limits", Found: sparedText(c.Spared),
			Next: "Decide for each of them: mailkin mailbox limits, or limits in PATCH /v1/mailboxes/{address}; " +
				"0 is no limit."})
	}
	if len(c.Full) > 0 {
		list = append(list, Problem{Check: "full mailboxes", Found: "mail is put off for " + addresses(c.Full),
			Next: "Delete mail of them, have them keep it for a shorter time, or raise their limits: mailkin mailbox " +
				"limits, or limits in PATCH /v1/mailboxes/{address}."})
	}
	return list
}

func sparedText(list []string) string {
	return "mailboxes that held more than limit_mailbox_bytes or limit_mailbox_messages when these came have no " +
		"limit: " + addresses(list)
}

// addresses names some mailboxes and counts the others.
func addresses(list []string) string {
	const most = 10
	text := strings.Join(list[:min(len(list), most)], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d others", more)
	}
	return text
}

// domainProblems looks at the keys and owners of domains. One that was never verified has signed nothing.
func (s *Service) domainProblems(c store.Census) (list []Problem) {
	for _, d := range c.Domains {
		if d.Mailbox == 0 && !s.ours(d.Name) || d.Mailbox != 0 && d.VerifiedAt.IsZero() {
			continue // of a setting of before, or only asked for
		}
		if _, _, err := s.unseal(d.Keys, d.ID); err != nil {
			owner, found := c.Owners[d.Mailbox], err.Error()
			if owner != "" {
				found += " (the domain of " + owner + ")"
			}
			list = append(list, Problem{Check: "keys of " + d.Name, Severe: true, Found: found,
				Next: sealedNext(d.Name, owner)})
		}
		if !d.VerifiedAt.IsZero() && !d.LapsedAt.IsZero() {
			list = append(list, Problem{Check: "domain " + d.Name,
				Found: "it has lapsed on " + d.LapsedAt.Format(time.RFC3339) + ": the record that shows who owns it " +
					"is gone from the DNS",
				Next: "Have its owner publish the TXT record at _mailkin." + d.Name + " again, or delete the domain."})
		}
	}
	return list
}

// formerProblems looks for mailboxes on domains that belong to another owner now than when the mailboxes were made.
func (s *Service) formerProblems(c store.Census) (list []Problem) {
	var operator mailbox.Num
	for num, address := range c.Owners {
		if address == s.opt.Configured {
			operator = num
		}
	}
	served := servedDomains(c.Domains, operator)
	for _, box := range c.Boxes {
		if d, ok := served[box.Domain]; ok && d.lapsed.IsZero() && !s.ours(box.Domain) && d.displaces(box.Owner) {
			list = append(list, Problem{Check: "mailboxes on " + box.Domain,
				Found: fmt.Sprintf("%d of them were made for a former owner of the domain: they get no mail for it "+
					"and send none from it", box.Mailboxes),
				Next: "Delete them, or make mailboxes with their addresses for the present owner; the earlier " +
					"mailboxes keep their mail under random addresses then."})
		}
	}
	return list
}

// unserved returns the domains that mailboxes are on and that mail is not taken for. A domain that has lapsed is a
// problem of its own. Mailboxes of a first try on the built-in domain say nothing, nor do those that nobody used.
func (s *Service) unserved(c store.Census) (list []store.DomainCount) {
	if s.catchesAll() {
		return nil
	}
	verified := make(map[string]bool)
	for _, d := range c.Domains {
		verified[d.Name] = verified[d.Name] || !d.VerifiedAt.IsZero() && d.Mailbox != 0
	}
	for _, box := range c.Boxes {
		switch at := slices.IndexFunc(list, func(one store.DomainCount) bool { return one.Domain == box.Domain }); {
		case at >= 0: // of another owner
			list[at].Mailboxes += box.Mailboxes
		case !s.ours(box.Domain) && !verified[box.Domain] && countsElsewhere(box):
			list = append(list, box)
		}
	}
	return list
}

func countsElsewhere(box store.DomainCount) bool {
	return box.Used > 0 && !strings.HasSuffix(box.Domain, ".localhost")
}

const unservedNext = "Is the setting domain right? It must name every domain that mailboxes are on, the first of " +
	"them for new ones; or have the domain verified."

// unservedMost is how many domains are named.
const unservedMost = 10

func unservedText(list []store.DomainCount) string {
	var names []string
	for _, c := range list[:min(len(list), unservedMost)] {
		names = append(names, fmt.Sprintf("%d on %s", c.Mailboxes, c.Domain))
	}
	if more := len(list) - unservedMost; more > 0 {
		names = append(names, fmt.Sprintf("and on %d other domains", more))
	}
	return "mail is refused for mailboxes whose domain is not served here: " + strings.Join(names, ", ")
}

// MismatchError refuses a start whose settings do not fit what is stored: trying again does not help.
type MismatchError struct{ text string }

func (e *MismatchError) Error() string { return e.text }

// domainFits refuses a setting domain that no mailbox is on while others are on a domain that nobody brought: it is a
// mistake, or the wrong database. An empty deployment fits.
func (s *Service) domainFits(c store.Census) error {
	if s.opt.AllowMismatch || s.catchesAll() || !s.misplaced(c) {
		return nil
	}
	list := s.unserved(c)
	return &MismatchError{fmt.Sprintf("the setting domain (%s) fits none of the mailboxes: %s. "+
		"Set domain to what it was, or domain_mismatch=allow to start all the same", strings.Join(s.opt.Domains, ", "),
		unservedText(list))}
}

// misplaced tells whether the mailboxes show that domain is wrong. A domain that a mailbox brought shows nothing, also
// when it is gone: its mailboxes stay. The configured mailbox is made at each start. Alone on its domain it shows that
// domain is right only if it is older than those elsewhere; else it may come from a start with the wrong domain.
func (s *Service) misplaced(c store.Census) bool {
	brought := make(map[string]bool)
	for _, d := range c.Domains {
		brought[d.Name] = brought[d.Name] || d.Mailbox != 0
	}
	_, own := split(s.opt.Configured)
	var lone, elsewhere mailbox.Num // 0: none
	for _, box := range c.Boxes {
		switch {
		case box.Domain == own && box.Owner == 0 && box.Mailboxes == 1:
			lone = box.First
		case s.ours(box.Domain) || brought[box.Domain]:
			return false
		case box.Owner == 0 && countsElsewhere(box) && (elsewhere == 0 || box.First < elsewhere):
			elsewhere = box.First
		}
	}
	return elsewhere != 0 && (lone == 0 || elsewhere < lone)
}

// logProblems says at the start what is wrong.
func (s *Service) logProblems(c store.Census) {
	for _, p := range s.problems(c) {
		level := slog.LevelWarn
		if p.Severe {
			level = slog.LevelError
		}
		s.log.Log(context.Background(), level, p.Check+": "+p.Found, "next", p.Next)
	}
}
