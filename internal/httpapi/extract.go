package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// extracts returns orders, parcels and appointments as records.
type extracts interface {
	Extract(ctx context.Context, in service.Access, id mailbox.ID) (service.Extraction, error)
}

// extract answers the structured data of a message: the best record of one kind, or all that was found (API 8).
func (a *API) extract(c *call) error {
	kind, err := c.fields.word("type")
	if err != nil {
		return err
	}
	forms := extractions
	if c.older() {
		forms = olderExtractions
	}
	pick, known := forms[kind]
	if !known {
		return mailbox.InvalidField("type", "The type is order, receipt, shipping, calendar, code or all.")
	}
	value, err := c.fields.word("email_id")
	if err != nil {
		return err
	}
	if value == "" {
		return mailbox.InvalidField("email_id", "The field email_id is missing.")
	}
	id, err := parseID("Email", value)
	if err != nil {
		return err
	}
	x, err := a.svc.Extract(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.Extraction{EmailID: x.ID.String(), Extraction: pick(x),
		Screening: wire.NewScreening(x.ID, x.Screening)})
}

// extractions is what is answered for each type. Where there is nothing, everything in the record is null.
var (
	extractions = formsOf(shapes{
		order:    func(o record.Order) any { return wire.NewOrder(o) },
		receipt:  func(r record.Receipt) any { return wire.NewPaymentReceipt(r) },
		calendar: func(c record.Calendar) any { return wire.NewAppointment(c) },
	})
	olderExtractions = formsOf(shapes{
		order:    func(o record.Order) any { return wire.NewOlderOrder(o) },
		receipt:  func(r record.Receipt) any { return wire.NewOlderReceipt(r) },
		calendar: func(c record.Calendar) any { return wire.NewOlderAppointment(c) },
		labelled: true,
	})
)

// shapes are how records are told that have more than one form.
type shapes struct {
	order    func(record.Order) any
	receipt  func(record.Receipt) any
	calendar func(record.Calendar) any
	labelled bool // with what is known by its labels alone
}

func formsOf(s shapes) map[string]func(service.Extraction) any {
	forms := map[string]func(service.Extraction) any{
		"order":    func(x service.Extraction) any { return s.order(best(s.found(x).Orders)) },
		"receipt":  func(x service.Extraction) any { return s.receipt(best(s.found(x).Receipts)) },
		"shipping": func(x service.Extraction) any { return wire.NewShipping(best(x.Found.Shippings)) },
		"calendar": func(x service.Extraction) any { return s.calendar(best(s.found(x).Calendars)) },
		"code":     func(x service.Extraction) any { return wire.NewCodeRecord(x.Code, x.Detail) },
		"all":      s.everything,
	}
	forms[""] = forms["all"]
	return forms
}

func (s shapes) found(x service.Extraction) record.Found {
	if s.labelled {
		return x.Found.Labelled(x.Mail)
	}
	return x.Found
}

func best[T any](list []T) (first T) {
	if len(list) > 0 {
		first = list[0]
	}
	return first
}

// everything is all that was found with some confidence.
func (s shapes) everything(x service.Extraction) any {
	all := []any{}
	for _, o := range x.Found.Orders {
		all = append(all, s.order(o))
	}
	for _, r := range x.Found.Receipts {
		all = append(all, s.receipt(r))
	}
	for _, p := range x.Found.Shippings {
		all = append(all, wire.NewShipping(p))
	}
	for _, c := range x.Found.Calendars {
		all = append(all, s.calendar(c))
	}
	if x.Code != "" {
		all = append(all, wire.NewCodeRecord(x.Code, x.Detail))
	}
	return all
}
