package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

// limitFlags are the limits that a command sets.
type limitFlags struct {
	bytes                     string
	messages, sends, inbound  int64
	keepInbound, keepOutbound float64
	keepLabels                []string
	reset                     bool
}

func (p *program) mailboxLimitsCommand() *cobra.Command {
	var f limitFlags
	cmd := &cobra.Command{
		Use:   "limits [MAILBOX]",
		Short: "Show what the mailbox may hold and do and what it uses; change it",
		Long: `Show what the mailbox may hold and do and what it uses. With flags, change that, as operator or with
a key that controls the mailbox; 0 is no limit, and for days: to keep messages for ever.`,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.bytes, "bytes", "", "what it may hold: bytes, or with KB, MB or GB")
	flags.Int64Var(&f.messages, "messages", 0, "how many messages it may hold")
	flags.Int64Var(&f.sends, "daily-sends", 0, "how many messages it may send in a day")
	flags.Int64Var(&f.inbound, "inbound-per-hour", 0, "how many messages it takes in an hour")
	flags.Float64Var(&f.keepInbound, "keep-inbound", 0, "days after which received messages are deleted")
	flags.Float64Var(&f.keepOutbound, "keep-outbound", 0, "days after which sent messages are deleted")
	flags.StringArrayVar(&f.keepLabels, "keep-label", nil, "LABEL=DAYS: days for messages with that label "+
		"instead; LABEL=default: those of the deployment")
	flags.BoolVar(&f.reset, "default", false, "what the deployment has by default, for all of it")
	return p.onMailbox(cmd, func(s *session) error {
		change, changes, err := f.change(cmd)
		var m *api.MailboxRecord
		switch {
		case err != nil:
			return err
		case f.reset && changes:
			return usage("say --default alone, or other limits")
		case f.reset:
			m, err = s.c.ResetLimits(s.ctx)
		case changes:
			m, err = s.c.SetLimits(s.ctx, change)
		default:
			m, err = s.c.Mailbox(s.ctx)
		}
		if err != nil {
			return err
		}
		return s.show(m, func() error { return s.limits(m) })
	})
}

// change is what the flags ask for.
func (f *limitFlags) change(cmd *cobra.Command) (c api.LimitsChange, any bool, err error) {
	var keep api.RetentionChange
	given := func(name string) bool {
		any = any || cmd.Flags().Changed(name)
		return cmd.Flags().Changed(name)
	}
	if given("bytes") {
		n, err := parseBytes(f.bytes)
		if err != nil {
			return c, any, err
		}
		c.Bytes = &n
	}
	if given("messages") {
		c.Messages = &f.messages
	}
	if given("daily-sends") {
		c.DailySends = &f.sends
	}
	if given("inbound-per-hour") {
		c.InboundPerHour = &f.inbound
	}
	if given("keep-inbound") {
		keep.Inbound, c.RetentionDays = &f.keepInbound, &keep
	}
	if given("keep-outbound") {
		keep.Outbound, c.RetentionDays = &f.keepOutbound, &keep
	}
	if given("keep-label") {
		c.RetentionDays = &keep
		keep.Labels, err = f.labels()
	}
	return c, any, err
}

// labels are the days for labels; nil: those of the deployment.
func (f *limitFlags) labels() (map[string]*float64, error) {
	list := make(map[string]*float64)
	for _, one := range f.keepLabels {
		label, days, _ := strings.Cut(one, "=")
		if list[label] = nil; days == "default" {
			continue
		}
		n, err := strconv.ParseFloat(days, 64)
		if err != nil {
			return nil, usage("--keep-label is LABEL=DAYS, such as newsletter=14, or LABEL=default")
		}
		list[label] = &n
	}
	return list, nil
}

// parseBytes reads a number of bytes, with a unit of thousands or without.
func parseBytes(s string) (int64, error) {
	unit := int64(1)
	digits := strings.ToUpper(strings.TrimSpace(s))
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"KB", 1000}, {"MB", 1000_000}, {"GB", 1000_000_000}, {"TB", 1000_000_000_000}} {
		if cut, ok := strings.CutSuffix(digits, u.name); ok {
			digits, unit = strings.TrimSpace(cut), u.bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/unit {
		return 0, usage("--bytes is a number of bytes, or one with KB, MB, GB or TB, such as 2GB")
	}
	return n * unit, nil
}

// limits shows what a mailbox uses of its limits.
func (s *session) limits(m *api.MailboxRecord) error {
	keep := []string{"inbound " + keptFor(m.Limits.RetentionDays.Inbound),
		"outbound " + keptFor(m.Limits.RetentionDays.Outbound)}
	for _, label := range slices.Sorted(maps.Keys(m.Limits.RetentionDays.Labels)) {
		keep = append(keep, label+" "+keptFor(m.Limits.RetentionDays.Labels[label]))
	}
	return s.out.fields(field{"mailbox", m.Mailbox.Mailbox}, field{"bytes", usedOf(m.Usage.Bytes, m.Limits.Bytes)},
		field{"messages", usedOf(m.Usage.Messages, m.Limits.Messages)},
		field{"sends_today", usedOf(int64(m.Usage.SendsToday), m.Limits.DailySends)},
		field{"inbound_per_hour", limitText(m.Limits.InboundPerHour)}, field{"kept", strings.Join(keep, ", ")})
}

func keptFor(days float64) string {
	if days == 0 {
		return "for ever"
	}
	return strconv.FormatFloat(days, 'f', -1, 64) + " days"
}

func limitText(limit int64) string {
	if limit == 0 {
		return "no limit"
	}
	return strconv.FormatInt(limit, 10)
}

func usedOf(used, limit int64) string {
	if limit == 0 {
		return fmt.Sprintf("%d, no limit", used)
	}
	return fmt.Sprintf("%d of %d", used, limit)
}
