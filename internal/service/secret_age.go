package service

import (
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// ageProblems looks for secrets and keys that have been in use for too long, and for replacements that somebody has to
// finish.
func (s *Service) ageProblems(c store.Census) (list []Problem) {
	now := s.now()
	old := func(made time.Time) bool {
		return s.live().MaxSecretAge > 0 && !made.IsZero() && now.Sub(made) >= s.live().MaxSecretAge
	}
	states := s.secretStates()
	for _, one := range states {
		check, end := "secret "+string(one.Name), "mailkin secret end "+string(one.Name)
		switch {
		case one.Pending && one.Name != mailbox.SecretToken:
			list = append(list, Problem{Check: check, Found: "it was replaced, and the one before is still set",
				Next: "Set the new one on every node, then run \"" + end + "\"."})
		case !one.OldUntil.IsZero():
			list = append(list, Problem{Check: check, Found: "the one before is still taken (until " +
				one.OldUntil.Format(time.RFC3339) + ")", Next: "When everybody has the new one, run \"" + end + "\"."})
		case old(one.MadeAt) && one.Name != mailbox.SecretHooks: // a new one is work for every receiver
			list = append(list, Problem{Check: check, Found: fmt.Sprintf("it is %d days old",
				days(now.Sub(one.MadeAt))),
				Next: "Replace it: mailkin secret rotate " + string(one.Name) + "."})
		}
	}
	for _, d := range c.Domains {
		if d.Mailbox == 0 && !s.ours(d.Name) || d.Mailbox != 0 && !d.InUse() {
			continue
		}
		check := "keys of " + d.Name
		if text := s.keysMessage(d); text != "" && (d.NextSelector != "" || slices.ContainsFunc(d.Old, s.unneeded)) {
			list = append(list, Problem{Check: check, Found: "they are being replaced", Next: text})
		} else if old(d.KeysMadeAt()) && d.DKIM {
			list = append(list, Problem{Check: check, Found: fmt.Sprintf("they are %d days old",
				days(now.Sub(d.KeysMadeAt()))), Next: "Replace them: mailkin domain rekey " + d.Name + "."})
		}
	}
	return list
}

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }
