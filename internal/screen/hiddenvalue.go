package screen

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/code"
	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/view"
)

// ruleHiddenValue is that of a code, a link or an amount that nobody sees and that differs from what is shown. A
// preheader that repeats or introduces what the mail shows is no finding, and neither is the same content once more for
// small screens.
const ruleHiddenValue = "hidden_value"

// hiddenValues reports such values.
func (r *reader) hiddenValues(m *Mail) {
	for _, value := range record.Contradicted(recordMail(m, m.View)) {
		r.hiddenValue(value, "markup")
	}
	hidden := m.View.Unseen()
	if hidden == nil {
		return
	}
	r.hiddenCode(m, hidden)
	r.hiddenLink(m, hidden)
	r.hiddenAmount(m, hidden)
}

// hiddenCode reports a code that the mail does not show, or shows as something else next to its code.
func (r *reader) hiddenCode(m *Mail, hidden *view.View) {
	c := code.Best(code.Mail{From: m.From, FromName: m.FromName, View: hidden})
	if c == "" {
		return
	}
	if strings.Contains(m.Subject, c) || strings.Contains(m.View.Text(), c) {
		shown := code.Best(code.Mail{From: m.From, FromName: m.FromName, Subject: m.Subject, View: m.View})
		if shown == "" || shown == c {
			return
		}
	}
	r.hiddenValue(c, reasonOf(hidden, c))
}

// hiddenLink reports a link to verify, sign in or reset with that the mail does not show.
func (r *reader) hiddenLink(m *Mail, hidden *view.View) {
	if len(hidden.Links) == 0 && !strings.Contains(hidden.Text(), "://") {
		return
	}
	var shown []link.Link
	for _, l := range link.Find(link.Mail{Subject: m.Subject, View: hidden}) {
		if l.Kind == link.Other || l.Kind == link.Unsubscribe {
			continue
		}
		if shown == nil {
			shown = link.Find(link.Mail{Subject: m.Subject, View: m.View})
		}
		if !slices.ContainsFunc(shown, func(s link.Link) bool { return s.URL == l.URL }) {
			r.hiddenValue(l.URL, reasonOf(hidden, l.URL))
			return
		}
	}
}

// hiddenAmount reports the sum of an order or a receipt that the mail does not show as one.
func (r *reader) hiddenAmount(m *Mail, hidden *view.View) {
	if !strings.ContainsAny(hidden.Text(), "0123456789") {
		return
	}
	found := record.Find(recordMail(m, hidden))
	var sums []record.Decimal
	for _, o := range found.Orders {
		sums = append(sums, o.Total)
	}
	for _, c := range found.Receipts {
		sums = append(sums, c.Amount)
	}
	for _, sum := range sums {
		if sum.Known() && !record.Shows(recordMail(m, m.View), sum) {
			r.hiddenValue(string(sum), reasonOf(hidden, string(sum)))
			return
		}
	}
}

func recordMail(m *Mail, v *view.View) record.Mail {
	return record.Mail{From: m.From, FromName: m.FromName, Subject: m.Subject, View: v}
}

// reasonOf is the rule that hides a value, or the first thing that is hidden where no run has all of it.
func reasonOf(hidden *view.View, value string) (why string) {
	for i := range hidden.Runs {
		if run := &hidden.Runs[i]; why == "" || strings.Contains(run.Text, value) {
			why = hidden.Why(i).String()
		}
	}
	if why == "" && len(hidden.Links) > 0 {
		why = hidden.Links[0].Hidden.String()
	}
	return why
}

// hiddenValue adds a finding: the value, and what hides it.
func (r *reader) hiddenValue(value, why string) {
	r.add(found{Finding: Finding{Rule: ruleHiddenValue, Layer: layerHidden, Excerpt: excerpt(value + " (" + why + ")")},
		points: 1})
}
