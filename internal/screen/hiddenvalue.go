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
	hidden := m.View.Unseen()
	if hidden == nil {
		return
	}
	shown := m.Subject + "\n" + m.View.Text()
	if c := code.Best(code.Mail{From: m.From, FromName: m.FromName, View: hidden}); c != "" && !strings.Contains(shown,
		c) {
		r.hiddenValue(hidden, c)
	}
	r.hiddenLink(m, hidden)
	r.hiddenAmount(m, hidden, shown)
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
			r.hiddenValue(hidden, l.URL)
			return
		}
	}
}

// hiddenAmount reports the sum of an order or a receipt that the mail does not show.
func (r *reader) hiddenAmount(m *Mail, hidden *view.View, shown string) {
	if !strings.ContainsAny(hidden.Text(), "0123456789") {
		return
	}
	found := record.Find(record.Mail{From: m.From, FromName: m.FromName, Subject: m.Subject, View: hidden})
	var sums []record.Decimal
	for _, o := range found.Orders {
		sums = append(sums, o.Total)
	}
	for _, c := range found.Receipts {
		sums = append(sums, c.Amount)
	}
	for _, sum := range sums {
		if sum.Known() && !record.Shows(m.View, sum) {
			r.hiddenValue(hidden, string(sum))
			return
		}
	}
}

// hiddenValue adds a finding: the value, and the rule that hides it.
func (r *reader) hiddenValue(hidden *view.View, value string) {
	why := ""
	for i := range hidden.Runs {
		if run := &hidden.Runs[i]; why == "" || strings.Contains(run.Text, value) {
			why = hidden.Why(i).String()
		}
	}
	if why == "" && len(hidden.Links) > 0 {
		why = hidden.Links[0].Hidden.String()
	}
	r.add(found{Finding: Finding{Rule: ruleHiddenValue, Layer: layerHidden, Excerpt: excerpt(value + " (" + why + ")")},
		points: 1})
}
