package agentmail

import (
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Labels that say what state a message is in. Here the state is kept otherwise.
const (
	received        = "received"
	sent            = "sent"
	unread          = "unread"
	scheduled       = "scheduled"
	canceled        = "canceled"
	bounced         = "bounced"
	unauthenticated = "unauthenticated"
)

// hidden are the labels whose messages are left out of lists, with what asks for them, and what is looked for here.
var hidden = []struct{ label, parameter, ours string }{
	{"spam", "include_spam", "spam"},
	{"blocked", "include_blocked", "blocked"},
	{unauthenticated, "include_unauthenticated", mailbox.LabelSuspicious},
	{"trash", "include_trash", "trash"},
}

// never are the states of messages that never left.
var never = []mailbox.DeliveryStatus{mailbox.Canceled, mailbox.Rejected, mailbox.Expired}

// labelsOf are a message's labels with those that its state is.
func labelsOf(m mailbox.Message) []string {
	status := mailbox.DeliveryStatus(m.Status)
	list := []string{received}
	switch {
	case m.Direction == mailbox.Outbound && status == mailbox.Scheduled:
		list = []string{scheduled}
	case slices.Contains(never, status):
		list = []string{canceled}
	case m.Direction == mailbox.Outbound:
		list = []string{sent}
	}
	if status == mailbox.Bounced || status == mailbox.Failed {
		list = append(list, bounced)
	}
	if !m.Seen {
		list = append(list, unread)
	}
	for _, l := range m.Labels {
		if l == mailbox.LabelSuspicious {
			l = unauthenticated
		}
		if !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// narrow has a query ask for a label.
func narrow(q *service.SelectQuery, label string) {
	direction := func(d mailbox.Direction) {
		if q.Direction != "" && q.Direction != d {
			q.Status = []mailbox.DeliveryStatus{"none"} // no message is both
		}
		q.Direction = d
	}
	switch label {
	case received:
		direction(mailbox.Inbound)
	case sent:
		direction(mailbox.Outbound)
		q.NotStatus = append(append(q.NotStatus, mailbox.Scheduled), never...)
	case scheduled:
		direction(mailbox.Outbound)
		q.Status = append(q.Status, mailbox.Scheduled)
	case canceled:
		direction(mailbox.Outbound)
		q.Status = append(q.Status, never...)
	case bounced:
		q.Status = append(q.Status, mailbox.Bounced, mailbox.Failed)
	case unread:
		q.Seen = new(bool)
	case unauthenticated:
		q.Labels = append(q.Labels, mailbox.LabelSuspicious)
	default:
		q.Labels = append(q.Labels, strings.ToLower(label)) // as they are kept
	}
}

// span reads the order of a list, and the times that it is between.
func span(c *door.Call) (oldest bool, since, until time.Time, err error) {
	if oldest, err = flag(c, "ascending"); err == nil {
		until, err = moment(c, "before")
	}
	if err == nil {
		since, err = moment(c, "after")
	}
	return oldest, since, until, err
}

// selection reads the filters of a list; the two names are those for senders and recipients.
func selection(c *door.Call, from, to string) (q service.SelectQuery, err error) {
	if q.Page, err = page(c); err != nil {
		return q, err
	}
	if q.Oldest, q.Since, q.Until, err = span(c); err != nil {
		return q, err
	}
	for name, into := range map[string]*[]string{from: &q.From, to: &q.To, "subject": &q.Subject} {
		if *into, err = list(c, name); err != nil {
			return q, err
		}
	}
	labels, err := list(c, "labels")
	if err != nil {
		return q, err
	}
	for _, l := range labels {
		narrow(&q, l)
	}
	q.Without, err = concealed(c, labels)
	return q, err
}

// concealed are our names of the labels whose messages a request does not ask for.
func concealed(c *door.Call, asked []string) (labels []string, err error) {
	for _, h := range hidden {
		shown, err := flag(c, h.parameter)
		if err != nil {
			return nil, err
		}
		if !shown && !slices.Contains(asked, h.label) {
			labels = append(labels, h.ours)
		}
	}
	return labels, nil
}

// checkLabels refuses what a message cannot get when it is sent, before it is.
func checkLabels(member string, labels []string) error {
	for _, l := range labels {
		if _, err := mailbox.ParseLabel(member, l); err != nil {
			return err
		}
	}
	return nil
}

// relabeling is the JSON of a change of labels.
type relabeling struct {
	Add    words `json:"add_labels"`
	Remove words `json:"remove_labels"`
}

// readChange reads a change of labels as ours: unread is whether the message was seen.
func readChange(c *door.Call) (out service.MessageChange, err error) {
	var r relabeling
	if err := c.Read(&r, door.ObjectLimit); err != nil {
		return out, err
	}
	return r.change()
}

func (r relabeling) change() (out service.MessageChange, err error) {
	if len(r.Add) == 0 && len(r.Remove) == 0 {
		return out, invalid("add_labels", "Give add_labels, remove_labels or both.")
	}
	if out.Add, err = ours("add_labels", r.Add, false, &out.Seen); err != nil {
		return out, err
	}
	out.Remove, err = ours("remove_labels", r.Remove, true, &out.Seen)
	return out, err
}

func ours(field string, labels []string, seen bool, into **bool) (list []string, err error) {
	for _, l := range labels {
		switch l {
		case unread:
			*into = &seen
		case received, sent, scheduled, canceled, bounced:
			return nil, invalid(field, "The label %s is the message's state and cannot be changed.", l)
		case unauthenticated:
			list = append(list, mailbox.LabelSuspicious)
		default:
			list = append(list, l)
		}
	}
	return list, nil
}
