package service

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// RetentionChange is for how long a mailbox is to keep its messages. What is not given stays; without a value it is
// what the deployment has by default.
type RetentionChange struct {
	All               bool // back to the deployment's defaults, before anything else
	Inbound, Outbound Choice[float64]
	AllLabels         bool                // the mailbox has no rule of its own for any label, before those that follow
	Labels            map[string]*float64 // nil: it has none for this one
}

const maxRetentionDays = 36_500

// days are the members that are days, with their names, in order.
func (c *RetentionChange) days() (list []retentionDays) {
	for name, choice := range map[string]Choice[float64]{"inbound": c.Inbound, "outbound": c.Outbound} {
		if choice.Given {
			list = append(list, retentionDays{name, choice.Value})
		}
	}
	for label, n := range c.Labels {
		list = append(list, retentionDays{"labels." + label, n})
	}
	slices.SortFunc(list, func(a, b retentionDays) int { return cmp.Compare(a.name, b.name) })
	return list
}

type retentionDays struct {
	name string
	days *float64
}

func (c *RetentionChange) check() error {
	if c == nil {
		return nil
	}
	if len(c.Labels) > maxLabels {
		return tooManyRules()
	}
	for label := range c.Labels {
		if parsed, err := mailbox.ParseLabel("limits", label); err != nil || parsed != label {
			return mailbox.InvalidField("limits", "limits.retention_days.labels: %s is not a label.",
				mailbox.Clip(label, 40))
		}
	}
	for _, one := range c.days() {
		if n := one.days; n != nil && (*n < 0 || *n > maxRetentionDays) {
			return mailbox.InvalidField("limits", "limits.retention_days are from 0, which is for ever, to %d.",
				maxRetentionDays)
		}
	}
	return nil
}

// fits checks that what was decided has not grown too much by this change.
func (c *LimitsChange) fits(now mailbox.Control) error {
	if c == nil || now.Limits == nil || now.Limits.Retention == nil || len(now.Limits.Retention.Labels) <= maxLabels {
		return nil
	}
	return tooManyRules()
}

func tooManyRules() error {
	return mailbox.InvalidField("limits", "limits.retention_days has at most %d labels.", maxLabels)
}

// apply returns a mailbox's own rules with this change; nil: it has none.
func (c *RetentionChange) apply(old *mailbox.OwnRetention) *mailbox.OwnRetention {
	if c == nil {
		return old
	}
	var now mailbox.OwnRetention
	if old != nil && !c.All {
		now = *old
	}
	if c.Inbound.Given {
		now.Inbound = c.Inbound.Value
	}
	if c.Outbound.Given {
		now.Outbound = c.Outbound.Value
	}
	now.Labels = c.applyLabels(now.Labels)
	if now.Inbound == nil && now.Outbound == nil && now.Labels == nil {
		return nil
	}
	return &now
}

func (c *RetentionChange) applyLabels(old map[string]float64) map[string]float64 {
	now := make(map[string]float64)
	if !c.AllLabels {
		maps.Copy(now, old)
	}
	for label, n := range c.Labels {
		if delete(now, label); n != nil {
			now[label] = *n
		}
	}
	if len(now) == 0 {
		return nil
	}
	return now
}

// notes say for the audit log what is changed.
func (c *RetentionChange) notes() (list []string) {
	if c == nil {
		return nil
	}
	if c.All {
		list = append(list, "limits.retention_days default")
	}
	if c.AllLabels {
		list = append(list, "limits.retention_days.labels default")
	}
	for _, one := range c.days() {
		text := "default"
		if one.days != nil {
			text = fmt.Sprint(*one.days)
		}
		list = append(list, "limits.retention_days."+one.name+" "+text)
	}
	return list
}
