package service

import (
	"fmt"
	"math"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Choice is a member that is given or not. Without a value it is what the deployment has by default.
type Choice[T any] struct {
	Given bool
	Value *T
}

// LimitsChange is which limits of a mailbox are changed.
type LimitsChange struct {
	All                        bool // back to the deployment's defaults, before anything else
	Bytes, Messages            Choice[int64]
	DailySends, InboundPerHour Choice[int64]
	RetentionDays              *RetentionChange // nil: it stays
}

const maxLimitCount = 1_000_000_000_000

// counts are the limits that are numbers, with their names and where they are kept.
func (c *LimitsChange) counts(of *mailbox.Caps) []limitCount {
	return []limitCount{
		{"bytes", c.Bytes, &of.Bytes, math.MaxInt64 / 1000},
		{"messages", c.Messages, &of.Messages, maxLimitCount},
		{"daily_sends", c.DailySends, &of.DailySends, maxLimitCount},
		{"inbound_per_hour", c.InboundPerHour, &of.InboundPerHour, maxLimitCount},
	}
}

type limitCount struct {
	name   string
	choice Choice[int64]
	to     **int64
	most   int64
}

func (c *LimitsChange) check() error {
	if c == nil {
		return nil
	}
	for _, one := range c.counts(new(mailbox.Caps)) {
		if n := one.choice.Value; n != nil && (*n < 0 || *n > one.most) {
			return mailbox.InvalidField("limits", "limits.%s is a whole number from 0, which is no limit, to %d.",
				one.name,
				one.most)
		}
	}
	return c.RetentionDays.check()
}

// apply returns the limits of a mailbox with this change. Whoever decides about what the mailbox holds ends that it is
// spared.
func (c *LimitsChange) apply(old *mailbox.Caps) *mailbox.Caps {
	if c == nil {
		return old
	}
	var now mailbox.Caps
	if old != nil && !c.All {
		now = *old
	}
	for _, one := range c.counts(&now) {
		if one.choice.Given {
			*one.to = one.choice.Value
		}
	}
	now.Retention = c.RetentionDays.apply(now.Retention)
	if c.Bytes.Given || c.Messages.Given {
		now.Spared = false
	}
	if now == (mailbox.Caps{}) {
		return nil
	}
	return &now
}

// notes say for the audit log what is changed.
func (c *LimitsChange) notes() (list []string) {
	if c == nil {
		return nil
	}
	if c.All {
		list = append(list, "limits default")
	}
	for _, one := range c.counts(new(mailbox.Caps)) {
		switch {
		case one.choice.Value != nil:
			list = append(list, fmt.Sprintf("limits.%s %d", one.name, *one.choice.Value))
		case one.choice.Given:
			list = append(list, fmt.Sprintf("limits.%s default", one.name))
		}
	}
	return append(list, c.RetentionDays.notes()...)
}
